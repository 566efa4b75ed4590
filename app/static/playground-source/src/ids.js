// In: results, and the text of a tab's variables. Out: the same text with placeholders replaced by ids seen in results.
import { storage } from "./storage.js";

const KEY = "ids";

const FOUND_AT = {
  PROJECT_ID: (data) => data.createProject?.project?.id ?? data.createProject?.conflicting?.id,
  CHAT_SESSION_ID: (data) => data.createChatSession?.chatSession?.id,
  ANSWER_ID: (data) => data.sendMessage?.answer?.id ?? data.regenerateAnswer?.answer?.id,
};

/** Keeps the newest id for each placeholder. */
export function learnIds(data) {
  if (!data) return;
  const { newest, filled } = read();
  for (const [placeholder, find] of Object.entries(FOUND_AT)) newest[placeholder] = find(data) ?? newest[placeholder];
  write({ newest, filled });
}

/** Replaces a placeholder, or the id put there before. What somebody typed in its place stays. */
export function fillIds(tab, text) {
  const { newest, filled } = read();
  const before = filled[tab] ?? {};
  const after = { ...before };
  for (const [placeholder, id] of Object.entries(newest)) {
    for (const old of [placeholder, before[placeholder]]) {
      if (!old || !text.includes(`"${old}"`)) continue;
      text = text.replaceAll(`"${old}"`, `"${id}"`);
      after[placeholder] = id;
    }
  }
  write({ newest, filled: { ...filled, [tab]: after } });
  return text;
}

function read() {
  return JSON.parse(storage.getItem(KEY) ?? '{"newest": {}, "filled": {}}');
}

function write(ids) {
  storage.setItem(KEY, JSON.stringify(ids));
}
