/** The document formats that the server can read, for the choice of files. */
import type { DocumentFormatsQuery } from "$lib/api";
import { texts, translateRefusal } from "./messages.svelte";

type Formats = DocumentFormatsQuery["documentFormats"];

/** What a file dialog offers first: the files that this server can read. Any other text can be read, too. */
export function acceptedBy(formats: Formats): string {
  const readable = formats.filter(({ available }) => available);
  return [...new Set(readable.flatMap(({ extensions, mediaType }) => [...extensions, mediaType])), "text/*"].join(",");
}

/** The readable formats, for people. */
export function namesOf(formats: Formats): string {
  const names = new Set(formats.filter(({ available }) => available).map(({ name }) => name));
  return new Intl.ListFormat(texts.language, { type: "conjunction" }).format(names);
}

/** Why a file of this name need not be sent: this server cannot read its format. Null if it may be able to. */
export function refusalOf(formats: Formats, fileName: string): string | null {
  const ending = /\.[^.]+$/.exec(fileName.toLowerCase())?.[0] ?? "";
  const found = formats.filter(({ extensions }) => extensions.includes(ending));
  const reason = found[0]?.unavailableReason ?? null;
  if (reason === null || found.some(({ available }) => available)) return null;
  return translateRefusal(reason) ?? reason;
}
