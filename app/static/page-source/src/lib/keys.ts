/** Key presses in text fields. */

/** Whether a key belongs to an input method, which makes one word of several keys. Of the last, Safari says so by its code alone. */
export function isComposing({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === 229;
}
