// In: the server's address, the model's, a browser, a place for pictures. Out: what the playground did and what it sent.
import { chromium } from "playwright-core";
import { createClient } from "graphql-sse";

import { given, http } from "./scenario.mjs";

const MOST_MS = 60_000;
const browser = await chromium.launch({
  executablePath: given.browser,
  args: ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
});
const found = { complaints: [], foreign: [] };
process.on("uncaughtException", async (error) => {
  console.error(error, JSON.stringify(found));
  for (const context of browser.contexts()) {
    for (const shown of context.pages()) console.error(await shown.locator("body").innerText());
  }
  await browser.close();
  process.exit(1);
});

const visitor = await page(http);
found.policy = visitor.policy;
found.tabs = await visitor.tabs();
found.results = {};
await visitor.run("CreateProject", '"id"');
await visitor.run("AddDocument", '"status"');
await ready();
await visitor.run("CreateChatSession", '"id"');
await visitor.run("Ask", '"status"');
found.answer = await followed();
await visitor.run("Preview", "\"route\"");
await visitor.run("Search", '"score"');
await visitor.run("HealthAndModels", '"version"');

found.token = await withToken();
await browser.close();
console.log(JSON.stringify(found));

/** A page that has loaded; whatever the browser holds against it is noted. */
async function page(address) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 } });
  context.setDefaultTimeout(MOST_MS);
  const shown = await context.newPage();
  const requests = [];
  const frames = [];
  shown.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) found.complaints.push(message.text());
  });
  shown.on("pageerror", (error) => found.complaints.push(String(error)));
  shown.on("requestfailed", (request) => found.complaints.push(`${request.url()}: ${request.failure()?.errorText}`));
  shown.on("request", (request) => {
    requests.push(request);
    if (!request.url().startsWith(given.url) && !request.url().startsWith("data:")) found.foreign.push(request.url());
  });
  shown.on("websocket", (socket) => socket.on("framesent", ({ payload }) => frames.push(JSON.parse(payload))));
  await shown.exposeFunction("complain", (text) => found.complaints.push(text));
  await shown.addInitScript(`window.shown = ${textOf}`);
  await shown.addInitScript(() =>
    addEventListener("securitypolicyviolation", (event) =>
      window.complain(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    ),
  );
  const response = await shown.goto(address);
  await loaded(shown);
  const tabs = () => shown.locator(".graphiql-tab-button").allInnerTexts();

  return {
    shown,
    requests,
    frames,
    tabs,
    policy: response.headers()["content-security-policy"],
    text: () => shown.evaluate(() => window.shown(".graphiql-response")),
    async open(name) {
      await shown.locator(".graphiql-tab-button", { hasText: name }).click();
      await shown.waitForFunction((wanted) => window.shown(".graphiql-query-editor").includes(wanted), name);
    },
    execute: () => shown.locator(".graphiql-execute-button").click(),
    shows: async (text) => {
      await shown.waitForFunction((wanted) => window.shown(".graphiql-response").includes(wanted), text.replace(/\s/g, ""));
    },
    // Ids of earlier results are put where the variables name them.
    filled: () => shown.waitForFunction(() => !/"[A-Z_]+_ID"/.test(window.shown(".graphiql-editor-tool"))),
    async run(name, wanted) {
      await this.open(name);
      await this.filled();
      await this.execute();
      await this.shows(wanted);
      found.results[name] = await this.text();
    },
  };
}

/** Until the document that was added can be found. */
async function ready() {
  const projectId = /"id":"([^"]+)"/.exec(found.results.CreateProject)[1];
  const client = createClient({ url: http });
  const query = `query($id: ID!) { project(id: $id) { documents(first: 1) { nodes { id } } } }`;
  let documentId;
  for await (const { data } of client.iterate({ query, variables: { id: projectId } })) {
    documentId = data.project.documents.nodes[0].id;
  }
  const follow = `subscription($id: ID!) { ingestionEvents(documentId: $id) { __typename } }`;
  for await (const { errors } of client.iterate({ query: follow, variables: { id: documentId } })) {
    if (errors) throw new Error(JSON.stringify(errors));
  }
}

/** The answer as the page shows it, word by word: the model says the next when the last is to be seen. */
async function followed() {
  const seen = [];
  await visitor.open("Follow");
  await visitor.filled();
  await visitor.execute();
  for (const [index, words] of given.says.entries()) {
    await visitor.shows(words);
    seen.push(await visitor.text());
    if (index === 1) await visitor.shown.screenshot({ path: `${given.pictures}/streaming.png` });
    await fetch(`${given.model}/more`, { method: "POST" });
  }
  await visitor.shows("AnswerCompleted");
  await visitor.shows('"totalMs"');
  await visitor.shown.screenshot({ path: `${given.pictures}/answered.png` });
  seen.push(await visitor.text());
  return seen;
}

/** What becomes of a token in the address. */
async function withToken() {
  const complaints = found.complaints.length;
  const viewer = await page(`${http}#token=${given.token}`);
  const address = viewer.shown.url();
  await viewer.open("Follow");
  await viewer.execute();
  await viewer.shows('"errors"');
  const kept = await viewer.shown.evaluate(() => Object.values(sessionStorage).concat(Object.values(localStorage)));
  await Promise.all([viewer.shown.waitForRequest((request) => request.method() === "POST"), viewer.shown.reload()]);
  const asked = viewer.requests.filter((request) => request.method() === "POST");
  const headers = await Promise.all(asked.map((request) => request.headerValue("authorization")));
  found.complaints.length = complaints; // whether such a token is good is not the playground's to say
  return {
    address,
    headers,
    kept: kept.filter((value) => value.includes(given.token)),
    asPayload: viewer.frames.find(({ type }) => type === "connection_init")?.payload,
    history: await viewer.shown.evaluate(() => history.length),
    urls: viewer.requests.map((request) => request.url()).filter((url) => url.includes(given.token)),
  };
}

/** Until the editors are there: a button that is pressed before does nothing. */
async function loaded(shown) {
  for (const part of [".graphiql-query-editor", ".graphiql-editor-tool", ".graphiql-response"]) {
    await shown.locator(`${part} .view-lines`).first().waitFor({ state: "attached" });
  }
}

/** In the page: what an editor shows, without spaces, for long lines are wrapped. */
function textOf(editor) {
  const top = (line) => Number.parseFloat(line.style.top);
  const lines = [...document.querySelectorAll(`${editor} .view-line`)].sort((a, b) => top(a) - top(b));
  return lines.map((line) => line.textContent.replace(/\s/g, "")).join("");
}
