/** Copy to the clipboard, even where browsers offer no clipboard API: on pages loaded over plain HTTP from another machine. */
import { Problem } from "$lib/api";
import { t } from "./messages.svelte";

/** Put this text on the clipboard, and the same as HTML for programs that show formatting. Throws a Problem. */
export async function copyText(text: string, html?: string): Promise<void> {
  const copied = isSecureContext ? write(text, html).then(() => true, () => copySelected(text, html)) : copySelected(text, html);
  if (!(await copied)) throw new Problem(t("copyFailed"));
}

async function write(text: string, html?: string): Promise<void> {
  const texts = { "text/plain": text, ...(html !== undefined && { "text/html": html }) };
  const blobs = Object.entries(texts).map(([type, content]) => [type, new Blob([content], { type })]);
  await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
}

/** The older way: copy the selection of a field. It must be inside an open dialog, because nothing behind it can be selected. */
function copySelected(text: string, html?: string): boolean {
  const before = document.activeElement;
  const place = before?.closest("dialog") ?? document.body;
  const field = Object.assign(document.createElement("textarea"), { value: text, className: "visually-hidden", tabIndex: -1 });
  field.addEventListener("copy", (event) => {
    if (html === undefined || !event.clipboardData) return;
    event.clipboardData.setData("text/plain", text);
    event.clipboardData.setData("text/html", html);
    event.preventDefault();
  });
  place.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return copied;
}
