/** The documents of a project as a list that follows what happens to them. */
import { follow, ProjectDocumentsDocument, ProjectIngestionDocument, query } from "$lib/api";
import type { DocumentItemFragment, DocumentStatus } from "$lib/api";
import { toasts } from "./toasts.svelte";
import { uploads } from "./uploads.svelte";

const PAGE = 50;

export interface Progress {
  stage: string;
  done: number;
  total: number | null;
}

/** Create it while a component starts: it follows the project until the component ends. */
export class Library {
  documents = $state.raw<DocumentItemFragment[]>([]);
  /** How far each document is that is being processed, by id. */
  progress = $state<Record<string, Progress>>({});
  total = $state(0);
  loading = $state(true);
  hasMore = $state(false);
  title = $state("");
  status = $state<DocumentStatus | null>(null);
  #after: string | null = null;
  #asked = 0;

  constructor(readonly projectId: string) {
    $effect(() => {
      void [this.title, this.status];
      const waiting = setTimeout(() => void this.read(), this.title ? 200 : 0);
      return () => clearTimeout(waiting);
    });
    $effect(() => uploads.onArrival((document) => this.put(document)));
    $effect(() =>
      follow(ProjectIngestionDocument, () => ({ projectId }), {
        next: ({ ingestionEvents: event }) => {
          if (event.__typename === "IngestionProgressed") {
            this.progress[event.documentId] = { stage: event.stage, done: event.chunksDone, total: event.chunksTotal ?? null };
          } else if ("document" in event) {
            delete this.progress[event.documentId];
            this.put(event.document);
          }
        },
        done: () => undefined,
        failed: (problem) => toasts.fail(problem),
        // Whatever happened in between was not told.
        connected: (connected) => connected || void this.read(),
      }),
    );
  }

  async read(): Promise<void> {
    this.#after = null;
    await this.#readPage([]);
  }

  async readMore(): Promise<void> {
    if (this.hasMore && !this.loading) await this.#readPage(this.documents);
  }

  /** Show a document as it is now; a new one comes first. */
  put(document: DocumentItemFragment): void {
    const known = this.documents.some(({ id }) => id === document.id);
    if (known) this.documents = this.documents.map((one) => (one.id === document.id ? document : one));
    else if (!this.title && (!this.status || this.status === document.status)) {
      this.documents = [document, ...this.documents];
      this.total += 1;
    }
  }

  forget(id: string): void {
    this.documents = this.documents.filter((one) => one.id !== id);
    this.total -= 1;
  }

  async #readPage(known: DocumentItemFragment[]): Promise<void> {
    const asked = ++this.#asked;
    this.loading = true;
    try {
      const filter = { titleContains: this.title || null, status: this.status ? [this.status] : null };
      const variables = { id: this.projectId, filter, first: PAGE, after: this.#after };
      const { project } = await query(ProjectDocumentsDocument, variables, "network-only");
      if (asked !== this.#asked || !project) return;
      const { nodes, pageInfo, totalCount } = project.documents;
      this.documents = [...known, ...nodes];
      this.total = totalCount;
      this.hasMore = pageInfo.hasNextPage;
      this.#after = pageInfo.endCursor;
    } catch (error) {
      toasts.fail(error);
    } finally {
      if (asked === this.#asked) this.loading = false;
    }
  }
}
