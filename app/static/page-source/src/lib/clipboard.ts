/** Copy texts, also where the browser has no clipboard for pages: over plain HTTP from another machine. */
import { Problem } from "$lib/api";
import { t } from "./messages.svelte";

/** Put this text on the clipboard. Throws a Problem. */
export async function copyText(text: string): Promise<void> {
  const copied = isSecureContext ? navigator.clipboard.writeText(text).then(() => true, () => copySelected(text)) : copySelected(text);
  if (!(await copied)) throw new Problem(t("copyFailed"));
}

/** The older way: copy what is selected in a field. Behind an open dialog, nothing can be selected. */
function copySelected(text: string): boolean {
  const before = document.activeElement;
  const place = before?.closest("dialog") ?? document.body;
  const field = Object.assign(document.createElement("textarea"), { value: text, className: "visually-hidden", tabIndex: -1 });
  place.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return copied;
}
