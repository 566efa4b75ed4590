/** The document formats that the server can read, for the choice of files. */
import type { DocumentFormatsQuery } from "$lib/api";
import { t, texts, translateRefusal } from "./messages.svelte";

type Formats = DocumentFormatsQuery["documentFormats"];

/** The file types that a file dialog offers: those that this server can read, and any other text. */
export function acceptedBy(formats: Formats): string {
  const readable = formats.filter(({ available }) => available);
  return [...new Set(readable.flatMap(({ extensions, mediaType }) => [...extensions, mediaType])), "text/*"].join(",");
}

/** The formats that this server can read, as a list for people. */
export function namesOf(formats: Formats): string {
  const names = new Set(formats.filter(({ available }) => available).map(({ name }) => name));
  return new Intl.ListFormat(texts.language, { type: "conjunction" }).format([...names, t("knowledge.otherText")]);
}

/** Why this server cannot read a file with this name, so that it need not be uploaded. Null if it may be able to. */
export function refusalOf(formats: Formats, fileName: string): string | null {
  const ending = /\.[^.]+$/.exec(fileName.toLowerCase())?.[0] ?? "";
  const found = formats.filter(({ extensions }) => extensions.includes(ending));
  const reason = found[0]?.unavailableReason ?? null;
  if (reason === null || found.some(({ available }) => available)) return null;
  return translateRefusal(reason) ?? reason;
}
