// Out: Chromium that reaches no other host, and the playground in it as somebody reads and uses it. What the browser holds
// against the page is noted in `complaints`, but in `refusals` that the server answered 401; requests to elsewhere in `foreign`.
import { chromium } from "playwright-core";

import { given } from "./scenario.mjs";

const MOST_MS = 60_000;
export const complaints = [];
export const refusals = [];
export const foreign = [];

const browser = await chromium.launch({
  executablePath: given.browser,
  args: ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
});
process.on("uncaughtException", async (error) => {
  console.error(error, JSON.stringify({ complaints, foreign }));
  for (const context of browser.contexts()) {
    for (const shown of context.pages()) console.error(await shown.locator("body").innerText());
  }
  await browser.close();
  process.exit(1);
});

export const isPost = (request) => request.method() === "POST";

/** Prints what was found. */
export async function end(found) {
  await browser.close();
  console.log(JSON.stringify({ ...found, complaints, foreign }));
}

/** A page that has loaded; whatever the browser holds against it is noted. */
export async function page(address) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 } });
  context.setDefaultTimeout(MOST_MS);
  const shown = await context.newPage();
  const requests = [];
  const frames = [];
  shown.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    (message.text().includes("status of 401") ? refusals : complaints).push(message.text());
  });
  shown.on("pageerror", (error) => complaints.push(String(error)));
  shown.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText;
    // Who leaves a page or loads it again waits no longer for what it was loading.
    if (reason !== "net::ERR_ABORTED") complaints.push(`${request.url()}: ${reason}`);
  });
  shown.on("request", (request) => {
    requests.push(request);
    if (!request.url().startsWith(given.url) && !request.url().startsWith("data:")) foreign.push(request.url());
  });
  shown.on("websocket", (socket) => socket.on("framesent", ({ payload }) => frames.push(JSON.parse(payload))));
  await shown.exposeFunction("complain", (text) => complaints.push(text));
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
    // What is shown together with this text: a moment later it may be something else.
    shows: async (text) => {
      const found = await shown.waitForFunction(
        (wanted) => [window.shown(".graphiql-response")].find((all) => all.includes(wanted)),
        text.replace(/\s/g, ""),
      );
      return found.jsonValue();
    },
    // Ids of earlier results are put where the variables name them.
    filled: () => shown.waitForFunction(() => !/"[A-Z_]+_ID"/.test(window.shown(".graphiql-editor-tool"))),
    alert: (filter = {}) => shown.getByRole("dialog").getByRole("alert").filter(filter).innerText(),
    storage: () => shown.evaluate(() => Object.values(sessionStorage).concat(Object.values(localStorage))),
    async run(name, wanted) {
      await this.open(name);
      await this.filled();
      await this.execute();
      return this.shows(wanted);
    },
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
