/** Save files through the browser. */

const TIME_TO_SAVE_MS = 60_000;

/** Save this as a file. */
export function saveFile(content: Blob, name: string): void {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(content), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), TIME_TO_SAVE_MS);
}
