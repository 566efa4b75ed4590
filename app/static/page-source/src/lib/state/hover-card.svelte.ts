/** The card that a footnote's marker shows while the pointer is over it, or the focus on it. */
import { createContext } from "svelte";

import type { CitationItemFragment } from "$lib/api";

const WAIT_MS = 120; // passing over a marker shows nothing

interface Shown {
  messageId: string;
  citation: CitationItemFragment;
  use: number;
  anchor: HTMLElement;
}

export class HoverCard {
  shown = $state.raw<Shown | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;

  show(shown: Shown, now: boolean): void {
    clearTimeout(this.#timer);
    if (now || this.shown) this.shown = shown;
    else this.#timer = setTimeout(() => (this.shown = shown), WAIT_MS);
  }

  /** The pointer may be on its way to the card: wait for it. */
  leave(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.shown = null), WAIT_MS);
  }

  stay(): void {
    clearTimeout(this.#timer);
  }

  hide(): void {
    clearTimeout(this.#timer);
    this.shown = null;
  }
}

export const [getHoverCard, setHoverCard] = createContext<HoverCard>();
