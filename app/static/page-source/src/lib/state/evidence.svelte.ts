/** What the panel beside the chat shows: the sources of an answer, or how its window was divided. */
import { createContext } from "svelte";

import { keep, kept } from "./entry";

export type EvidenceTab = "sources" | "window";
export type Selection = { kind: "citation"; index: number; use: number } | { kind: "candidate"; at: number };

/** What is shown, as the history of the browser keeps it. */
interface Shown {
  messageId: string | null;
  tab: EvidenceTab;
  selection: Selection | null;
}

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
    this.#show({ messageId, tab, selection });
  }

  /** Close the panel, and go back to what opened it. */
  close(): void {
    if (!this.open) return;
    this.#show(NOTHING);
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
