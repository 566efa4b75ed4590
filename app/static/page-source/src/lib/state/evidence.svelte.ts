/** The state of the panel beside the chat: the sources of an answer, or how its context window was used. */
import { createContext } from "svelte";

import { keep, keepInNext, kept } from "./entry";

export type EvidenceTab = "sources" | "window";
export type Selection = { kind: "citation"; index: number; use: number } | { kind: "candidate"; at: number };

/** What is shown, as stored in the browser's history. */
interface Shown {
  messageId: string | null;
  tab: EvidenceTab;
  selection: Selection | null;
  /** Whether going back closes the panel, as users expect where it covers the chat. */
  covers?: boolean;
}

const COVERING = "(max-width: 70rem)"; // the same as in the panel's styles
const NAME = "evidence";
const NOTHING: Shown = { messageId: null, tab: "sources", selection: null };

export class Evidence {
  #shown = $state.raw(NOTHING);
  readonly messageId = $derived(this.#shown.messageId);
  readonly tab = $derived(this.#shown.tab);
  readonly selection = $derived(this.#shown.selection);
  /** Whether it is open because the user has come back, not because they have just opened it. */
  isReturn = false;
  #opener: HTMLElement | null = null;

  /** `isKept`: whether it stays open after a reload, and on returning to the chat. */
  constructor(private readonly isKept = false) {
    if (isKept) this.#shown = kept<Shown>(NAME) ?? NOTHING;
    this.isReturn = this.open;
  }

  get open(): boolean {
    return this.messageId !== null;
  }

  show(messageId: string, tab: EvidenceTab, selection: Selection | null = null): void {
    if (!this.open && document.activeElement instanceof HTMLElement) this.#opener = document.activeElement;
    const covers = this.open ? this.#shown.covers === true : this.isKept && matchMedia(COVERING).matches;
    const shown = { messageId, tab, selection, covers };
    if (covers && !this.open) keepInNext(NAME, shown);
    this.#show(shown);
  }

  /** Close the panel, and return the focus to what opened it. */
  close(): void {
    if (!this.open) return;
    if (this.#shown.covers) history.back();
    else {
      this.#show(NOTHING);
      this.#focusOpener();
    }
  }

  /** After going back or forward: show what was open there. */
  comeBack(): void {
    const wasOpen = this.open;
    this.#shown = kept<Shown>(NAME) ?? NOTHING;
    if (wasOpen && !this.open) this.#focusOpener();
  }

  #focusOpener(): void {
    this.#opener?.focus();
    this.#opener = null;
  }

  #show(shown: Shown): void {
    this.#shown = shown;
    this.isReturn = false;
    if (this.isKept) keep(NAME, shown);
  }
}

export const [getEvidence, setEvidence] = createContext<Evidence>();
