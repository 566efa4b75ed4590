/** What somebody selects in a chat and copies: its footnotes as `[1]`, which would run into the words and numbers before them. */

const MARKERS = "[role=doc-noteref]";
const NO_TEXT = "button, .screen-only, .visually-hidden";

/** Put what is selected on the clipboard. What has no footnotes in it is left to the browser. */
export function copySelection(event: ClipboardEvent): void {
  const selection = document.getSelection();
  if (!event.clipboardData || event.defaultPrevented || !selection || selection.isCollapsed || isField(event.target)) return;
  const place = document.createElement("div");
  place.append(selection.getRangeAt(0).cloneContents());
  const markers = place.querySelectorAll(MARKERS);
  if (!markers.length) return;
  for (const marker of markers) marker.replaceWith(`[${marker.textContent}]`);
  for (const element of place.querySelectorAll(NO_TEXT)) element.remove();
  event.clipboardData.setData("text/plain", textOf(place));
  event.clipboardData.setData("text/html", new XMLSerializer().serializeToString(place));
  event.preventDefault();
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
