/** Export conversations and answers as text. */
import { AnswerWithSourcesDocument, ExportChatSessionDocument, Problem, query } from "$lib/api";
import type { ExportFormat } from "$lib/api";
import { t } from "$lib/messages.svelte";
import { saveFile } from "./files";

const KINDS: Record<ExportFormat, { ending: string; type: string }> = {
  MARKDOWN: { ending: "md", type: "text/markdown" },
  JSON: { ending: "json", type: "application/json" },
};
const LONGEST_NAME = 80; // characters

/** Save a chat as a file under its title. Throws a Problem. */
export async function saveChat(id: string, title: string, format: ExportFormat): Promise<void> {
  const { exportChatSession: text } = await query(ExportChatSessionDocument, { id, format }, "network-only");
  if (text === null) throw new Problem(t("missing.text"));
  const { ending, type } = KINDS[format];
  saveFile(new Blob([text], { type: `${type};charset=utf-8` }), `${nameOf(title)}.${ending}`);
}

/** An answer as Markdown, with the list of its sources. Throws a Problem. */
export async function readAnswerWithSources(id: string): Promise<string> {
  const { message } = await query(AnswerWithSourcesDocument, { id }, "network-only");
  if (message === null) throw new Problem(t("missing.text"));
  return message.contentWithSources;
}

/** A title as a file name on any system. */
function nameOf(title: string): string {
  const plain = title.replace(/[\p{Cc}\p{Cf}\\/:*?"<>|]+/gu, " ").replace(/\s+/g, " ").trim();
  return Array.from(plain).slice(0, LONGEST_NAME).join("").replace(/^\.+|[. ]+$/g, "") || t("export.untitled");
}
