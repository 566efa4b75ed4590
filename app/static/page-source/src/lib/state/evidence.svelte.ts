/** What the panel beside the chat shows: the sources of an answer, or how its window was divided. */
import { createContext } from "svelte";

export type EvidenceTab = "sources" | "window";
export type Selection = { kind: "citation"; index: number; use: number } | { kind: "candidate"; at: number };

export class Evidence {
  messageId = $state<string | null>(null);
  tab = $state<EvidenceTab>("sources");
  selection = $state.raw<Selection | null>(null);
  #opener: HTMLElement | null = null;

  get open(): boolean {
    return this.messageId !== null;
  }

  show(messageId: string, tab: EvidenceTab, selection: Selection | null = null): void {
    if (!this.open && document.activeElement instanceof HTMLElement) this.#opener = document.activeElement;
    this.messageId = messageId;
    this.tab = tab;
    this.selection = selection;
  }

  /** Close the panel, and go back to what opened it. */
  close(): void {
    if (!this.open) return;
    this.messageId = null;
    this.selection = null;
    this.#opener?.focus();
    this.#opener = null;
  }
}

export const [getEvidence, setEvidence] = createContext<Evidence>();
