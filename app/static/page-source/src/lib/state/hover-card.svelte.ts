/** The card of a footnote, shown while its marker is hovered or focused. */
import { createContext } from "svelte";

import type { CitationItemFragment } from "$lib/api";

const WAIT_MS = 120; // so that only passing over a marker does not show it

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

  /** Hide the card after a short wait: the pointer may be moving to it. */
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
