/** Key presses in text fields. */

/** Whether a key press belongs to an input method, which composes a word from several keys. In Safari, only the key code of the last one says so. */
export function isComposing({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === 229;
}
