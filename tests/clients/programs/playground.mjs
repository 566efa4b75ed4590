// In: the server's address, the model's, a browser, a place for pictures. Out: what the playground did and what it sent.
import { createClient } from "graphql-sse";

import { end, isPost, page, refusals } from "./browsing.mjs";
import { given, http } from "./scenario.mjs";

const found = { results: {} };
const visitor = await page(http);
found.policy = visitor.policy;
found.tabs = await visitor.tabs();
await run("CreateProject", '"id"');
await run("AddDocument", '"status"');
await ready();
await run("CreateChatSession", '"id"');
await run("Ask", '"status"');
found.answer = await followed();
await run("Preview", '"route"');
await run("Search", '"score"');
await run("HealthAndModels", '"version"');

found.token = await withToken();
await end(found);

async function run(name, wanted) {
  found.results[name] = await visitor.run(name, wanted);
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
    seen.push(await visitor.shows(words));
    if (index === 1) await visitor.shown.screenshot({ path: `${given.pictures}/streaming.png` });
    await fetch(`${given.model}/more`, { method: "POST" });
  }
  await visitor.shows("AnswerCompleted");
  seen.push(await visitor.shows('"totalMs"'));
  await visitor.shown.screenshot({ path: `${given.pictures}/answered.png` });
  return seen;
}

/** What becomes of a token in the address; and of one that is none, with signs that mean something there. */
async function withToken() {
  const viewer = await page(`${http}#token=${given.token}`);
  const address = viewer.shown.url();
  await viewer.open("Follow");
  await viewer.execute();
  await viewer.shows('"errors"');
  const kept = await viewer.storage();
  await Promise.all([viewer.shown.waitForRequest(isPost), viewer.shown.reload()]);
  const headers = await Promise.all(viewer.requests.filter(isPost).map((request) => request.headerValue("authorization")));
  const seen = {
    address,
    headers,
    kept: kept.filter((value) => value.includes(given.token)),
    asPayload: viewer.frames.find(({ type }) => type === "connection_init")?.payload,
    history: await viewer.shown.evaluate(() => history.length),
    urls: viewer.requests.map((request) => request.url()).filter((url) => url.includes(given.token)),
  };
  seen.refusals = refusals.length;
  const go = viewer.shown.evaluate((token) => (location.hash = `token=${token}`), given.wrong);
  await go;
  const dialog = viewer.shown.getByRole("dialog");
  await dialog.getByRole("button", { name: "Stay as I am" }).click();
  await dialog.waitFor({ state: "detached" });
  seen.stayed = (await viewer.storage()).filter((value) => value.includes(given.token));
  seen.address2 = viewer.shown.url();
  await viewer.shown.evaluate((token) => (location.hash = `token=${token}`), given.wrong);
  seen.question = await dialog.innerText();
  const follow = dialog.getByRole("button", { name: "Follow the link" }).click();
  const [asked] = await Promise.all([viewer.shown.waitForRequest(isPost), follow]);
  seen.wrong = { header: await asked.headerValue("authorization"), said: await viewer.alert() };
  return seen;
}
