/** Random ids. `crypto.randomUUID` is missing on pages that come over plain HTTP from another machine. */

/** 128 random bits, as 32 hexadecimal digits. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A key for asking with this text: the same for the same text, so that sending it again asks the model only once. */
export class RequestKey {
  #text: string | null = null;
  #key = "";

  keyFor(text: string): string {
    if (text !== this.#text) [this.#text, this.#key] = [text, randomId()];
    return this.#key;
  }

  /** What was asked has arrived: asking the same again is meant. */
  renew(): void {
    this.#text = null;
  }
}
