/** What the panel beside the chat shows: the sources of an answer, or how its context window was shared out. */
import { createContext } from "svelte";

import { keep, keepInNext, kept } from "./entry";

export type EvidenceTab = "sources" | "window";
export type Selection = { kind: "citation"; index: number; use: number } | { kind: "candidate"; at: number };

/** What is shown, as the history of the browser keeps it. */
interface Shown {
  messageId: string | null;
  tab: EvidenceTab;
  selection: Selection | null;
  /** Whether going back closes the panel: where it covers the chat, that is what people expect. */
  covers?: boolean;
}

const COVERING = "(max-width: 70rem)"; // as the panel's own styles have it
const NAME = "evidence";
const NOTHING: Shown = { messageId: null, tab: "sources", selection: null };

export class Evidence {
  #shown = $state.raw(NOTHING);
  readonly messageId = $derived(this.#shown.messageId);
  readonly tab = $derived(this.#shown.tab);
  readonly selection = $derived(this.#shown.selection);
  /** Whether it is open because somebody has come back: nobody has asked for it just now. */
  isReturn = false;
  #opener: HTMLElement | null = null;

  /** `isKept`: whether it is still open after a reload, and for whoever comes back to the chat. */
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

  /** Close the panel, and go back to what opened it. */
  close(): void {
    if (!this.open) return;
    if (this.#shown.covers) history.back();
    else {
      this.#show(NOTHING);
      this.#focusOpener();
    }
  }

  /** Another entry of the history is shown: so is what was open there. */
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
