// In: one client, as `request`, `subscribe` and, where it can, `upload`. Out (printed): what each part of the scenario gave.
// The test knows what must come out; nothing is judged here.

const PROJECT = `mutation Project($input: CreateProjectInput!) { createProject(input: $input) { __typename
  ... on CreateProjectPayload { project { id name } } ... on ValidationError { message issues { path code } } } }`;
const CHAT = `mutation Chat($input: CreateChatSessionInput!) { createChatSession(input: $input) { __typename
  ... on CreateChatSessionPayload { chatSession { id } } } }`;
const ASK = `mutation Ask($input: SendMessageInput!) { sendMessage(input: $input) { __typename
  ... on SendMessagePayload { answer { id status } } } }`;
const UPLOAD = `mutation Upload($input: UploadDocumentInput!) { uploadDocument(input: $input) { __typename
  ... on UploadDocumentPayload { document { id title mediaType } } ... on ValidationError { message } } }`;
const FOLLOW = `subscription Follow($id: ID!, $after: Int!) { answerEvents(messageId: $id, after: $after) { __typename
  sequence ... on AnswerDelta { text } ... on AnswerCompleted { message { id content status } } } }`;

const READ_BEFORE_LEAVING = 4;

export const given = JSON.parse(process.argv[2]);
export const http = `${given.url}/graphql`;
export const ws = http.replace(/^http/, "ws");

/**
 * `request(query, variables)` promises `{data, errors}`. `subscribe(query, variables, {next, error, complete})` returns
 * what breaks the connection off. Both may take `upload` out of it: variables with a File in them.
 */
export async function play({ request, subscribe, upload }) {
  const found = { query: await request("query Viewer { viewer { user { email } } }", {}) };
  found.mutation = await request(PROJECT, { input: { name: given.name } });
  found.typed = await request(PROJECT, { input: { name: "" } });
  found.invalid = await request("query Invalid { nothing }", {});
  found.failed = await request("query Failed($n: Int) { projects(first: $n) { nodes { id } } }", { n: 1000 });
  const projectId = found.mutation.data.createProject.project.id;
  if (upload) {
    const file = new File(["# Tides\n\nThe tide turns twice a day."], "tides.md", { type: "text/markdown" });
    found.upload = await upload(UPLOAD, { input: { projectId, file } });
  }
  found.refused = await refused(subscribe);
  const chat = await request(CHAT, { input: { projectId, enableRag: false } });
  const sessionId = chat.data.createChatSession.chatSession.id;
  const asked = await request(ASK, { input: { sessionId, content: given.question } });
  const id = asked.data.sendMessage.answer.id;
  found.resumed = await resumed(subscribe, id);
  found.message = await request("query Message($id: ID!) { message(id: $id) { id content status } }", { id });
  console.log(JSON.stringify(found));
  process.exit(0);
}

/** What a subscription to nothing gives, as a result or as an error. */
function refused(subscribe) {
  return new Promise((resolve, reject) => {
    let [done, stop] = [false, undefined];
    const finish = (errors) => {
      if (done) return;
      done = true;
      queueMicrotask(() => stop());
      resolve({ errors });
    };
    stop = subscribe(FOLLOW, { id: "nothing", after: 0 }, {
      next: (result) => result.errors?.length && finish(result.errors),
      error: (error) => (done ? undefined : attempt(() => finish(errorsOf(error)), reject)),
      complete: () => finish([]),
    });
  });
}

/** Follows an answer over connections that break off every few events. */
async function resumed(subscribe, id) {
  const events = [];
  let connections = 0;
  for (let ended = false; !ended; connections++) ended = await once(subscribe, id, events);
  return { events, connections };
}

/** Reads on from the last event over one connection; whether the answer ended. */
function once(subscribe, id, events) {
  return new Promise((resolve, reject) => {
    let [read, left, stop] = [0, false, undefined];
    const leave = (ended) => {
      left = true;
      // What a client calls back at once, before it returned the way to stop it, is stopped a little later.
      queueMicrotask(() => {
        stop();
        resolve(ended);
      });
    };
    stop = subscribe(FOLLOW, { id, after: events.at(-1)?.sequence ?? 0 }, {
      next: ({ data, errors }) => {
        if (left) return;
        if (errors?.length) return reject(new Error(JSON.stringify(errors)));
        events.push(data.answerEvents);
        if (data.answerEvents.__typename === "AnswerDelta") more();
        if (++read === READ_BEFORE_LEAVING) leave(false);
      },
      error: (error) => left || reject(new Error(`broken off: ${error?.message ?? error?.reason ?? error}`)),
      complete: () => left || resolve(true),
    });
  });
}

function attempt(act, failed) {
  try {
    act();
  } catch (error) {
    failed(error);
  }
}

/** Lets the model say its next word. */
function more() {
  fetch(`${given.model}/more`, { method: "POST" });
}

/** The errors of GraphQL in what a client throws. */
export function errorsOf(error) {
  if (Array.isArray(error)) return error;
  const found = error.graphQLErrors ?? error.errors;
  if (!found?.length) throw error;
  return found.map(({ message, path, extensions }) => ({ message, path, extensions }));
}
