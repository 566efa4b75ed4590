/** Copy from a chat with formatting, as for Word and mail, and as plain text, with footnotes as `[1]`. */
import { flushSync, mount, unmount } from "svelte";

import { copyText } from "./clipboard";
import Markdown from "./markdown/Markdown.svelte";

const MARKERS = "[role=doc-noteref]";
const NO_TEXT = "button, .screen-only, .visually-hidden";

/** Put Markdown on the clipboard, with its rendered form as HTML. Throws a Problem. */
export async function copyMarkdown(source: string): Promise<void> {
  const place = document.createElement("div");
  const drawn = mount(Markdown, { target: place, props: { source } });
  flushSync();
  const html = htmlOf(place);
  void unmount(drawn);
  await copyText(source, html);
}

/** Put the selection on the clipboard. A selection without footnotes is left to the browser. */
export function copySelection(event: ClipboardEvent): void {
  const selection = document.getSelection();
  if (!event.clipboardData || event.defaultPrevented || !selection || selection.isCollapsed || isField(event.target)) return;
  const place = document.createElement("div");
  place.append(selection.getRangeAt(0).cloneContents());
  const markers = place.querySelectorAll(MARKERS);
  if (!markers.length) return;
  for (const marker of markers) marker.replaceWith(`[${marker.textContent}]`);
  const html = htmlOf(place);
  event.clipboardData.setData("text/plain", textOf(place));
  event.clipboardData.setData("text/html", html);
  event.preventDefault();
}

/** The content of `place` as HTML, after removing what is not part of the text. */
function htmlOf(place: HTMLElement): string {
  for (const element of place.querySelectorAll(NO_TEXT)) element.remove();
  return new XMLSerializer().serializeToString(place);
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}

/** Lines and paragraphs can be told apart only in an element that is laid out. */
function textOf(place: HTMLElement): string {
  Object.assign(place.style, { position: "fixed", insetInlineStart: "-200vw", width: "100vw" });
  document.body.append(place);
  const text = place.innerText.trim();
  place.remove();
  place.removeAttribute("style");
  return text;
}
