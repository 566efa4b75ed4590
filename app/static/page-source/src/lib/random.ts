/** Random ids. `crypto.randomUUID` is missing on pages loaded over plain HTTP from another machine. */

/** 128 random bits, as 32 hexadecimal digits. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** An idempotency key for a text: sending the same text again asks the model only once. */
export class RequestKey {
  #text: string | null = null;
  #key = "";

  keyFor(text: string): string {
    if (text !== this.#text) [this.#text, this.#key] = [text, randomId()];
    return this.#key;
  }

  /** The request has arrived: sending the same text again is a new one. */
  renew(): void {
    this.#text = null;
  }
}
