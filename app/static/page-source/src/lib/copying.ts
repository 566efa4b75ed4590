/** What somebody copies from a chat, for Word and mail as well as for plain text, with its footnotes as `[1]`. */
import { flushSync, mount, unmount } from "svelte";

import { copyText } from "./clipboard";
import Markdown from "./markdown/Markdown.svelte";

const MARKERS = "[role=doc-noteref]";
const NO_TEXT = "button, .screen-only, .visually-hidden";

/** Put Markdown on the clipboard, and as HTML what it looks like. Throws a Problem. */
export async function copyMarkdown(source: string): Promise<void> {
  const place = document.createElement("div");
  const drawn = mount(Markdown, { target: place, props: { source } });
  flushSync();
  const html = htmlOf(place);
  void unmount(drawn);
  await copyText(source, html);
}

/** Put what is selected on the clipboard. What has no footnotes in it is left to the browser. */
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

/** What is in `place` as HTML; what is not part of the text is removed from it. */
function htmlOf(place: HTMLElement): string {
  for (const element of place.querySelectorAll(NO_TEXT)) element.remove();
  return new XMLSerializer().serializeToString(place);
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}

/** Lines and paragraphs are only told apart where they are laid out. */
function textOf(place: HTMLElement): string {
  Object.assign(place.style, { position: "fixed", insetInlineStart: "-200vw", width: "100vw" });
  document.body.append(place);
  const text = place.innerText.trim();
  place.remove();
  place.removeAttribute("style");
  return text;
}
