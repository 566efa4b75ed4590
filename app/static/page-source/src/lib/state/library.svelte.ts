/** A project's documents as a live list. */
import { asProblem, follow, ProjectDocumentsDocument, ProjectIngestionDocument, query } from "$lib/api";
import type { DocumentItemFragment, DocumentStatus, Problem, ProjectDocumentsQuery } from "$lib/api";
import { reportOutdated } from "$lib/api/client";
import { keep, kept } from "./entry";
import { keepCurrent } from "./outdated.svelte";
import { toasts } from "./toasts.svelte";
import { uploads } from "./uploads.svelte";

const PAGE = 50;
const REFRESH_MS = 500; // because many documents may change at once
const FILTER = "documents";

interface Filter {
  title: string;
  status: DocumentStatus | null;
}

type Page = NonNullable<ProjectDocumentsQuery["project"]>["documents"];

export interface Progress {
  stage: string;
  done: number;
  total: number | null;
}

/** Create it while a component initializes: it follows the project until the component is destroyed. */
export class Library {
  documents = $state.raw<DocumentItemFragment[]>([]);
  /** The progress of documents that are being processed, by id. */
  progress = $state<Record<string, Progress>>({});
  total = $state(0);
  loading = $state(true);
  /** Why they could not be loaded. */
  problem = $state.raw<Problem | null>(null);
  hasMore = $state(false);
  /** How many times a document has become ready, whether it is shown or not. */
  readied = $state(0);
  title = $state("");
  status = $state<DocumentStatus | null>(null);
  #after: string | null = null;
  /** The number of the last request: results of earlier ones are dropped. */
  #request = 0;
  #refreshTimer: ReturnType<typeof setTimeout> | undefined;
  #isRefreshing = false;
  /** Whether something has changed since the current refresh began. */
  #isOutdated = false;
  /** Documents that changed since the current request began, whose result may be older; null for those that are gone. */
  #meanwhile = new Map<string, DocumentItemFragment | null>();

  constructor(readonly projectId: string) {
    Object.assign(this, kept<Filter>(FILTER));
    $effect(() => {
      void [this.title, this.status];
      const waiting = setTimeout(() => void this.#readFiltered(), this.title ? 200 : 0);
      return () => clearTimeout(waiting);
    });
    keepCurrent(() => void this.retry());
    $effect(() => uploads.onArrival((document) => this.put(document)));
    $effect(() => () => {
      clearTimeout(this.#refreshTimer);
      this.#isOutdated = false;
    });
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
        done: reportOutdated, // the project was deleted
        failed: (problem) => toasts.failUnlessGone(problem),
      }),
    );
  }

  async #readFiltered(): Promise<void> {
    keep(FILTER, { title: this.title, status: this.status } satisfies Filter);
    await this.read();
  }

  async read(): Promise<void> {
    this.#after = null;
    await this.#readPage([]);
  }

  /** Load again what could not be loaded, and keep what is shown until then. */
  async retry(): Promise<void> {
    if (!this.loading) await (this.documents.length ? this.#refresh() : this.read());
  }

  async readMore(): Promise<void> {
    if (this.hasMore && !this.loading) await this.#readPage(this.documents);
  }

  /** Show a document's new state; new ones come first. Whether one that is not shown is new, only the server knows. */
  put(document: DocumentItemFragment): void {
    this.#meanwhile.set(document.id, document);
    if (document.status === "READY") this.readied += 1;
    const known = this.documents.some(({ id }) => id === document.id);
    if (known) this.documents = this.documents.map((one) => (one.id === document.id ? document : one));
    else if (!this.#isComplete) this.#refreshSoon();
    else {
      this.documents = [document, ...this.documents];
      this.total += 1;
    }
  }

  /** Whether all documents of the project are shown, and no request is about to replace them. */
  get #isComplete(): boolean {
    const isReading = this.loading || this.#isRefreshing;
    return !isReading && !this.hasMore && !this.title && !this.status && this.documents.length === this.total;
  }

  forget(id: string): void {
    this.#meanwhile.set(id, null);
    if (this.#isRefreshing) this.#isOutdated = true;
    this.documents = this.documents.filter((one) => one.id !== id);
    this.total -= 1;
  }

  #refreshSoon(): void {
    if (this.#isRefreshing) this.#isOutdated = true;
    else
      this.#refreshTimer ??= setTimeout(() => {
        this.#refreshTimer = undefined;
        if (this.loading || this.#isRefreshing) this.#refreshSoon();
        else void this.#refresh();
      }, REFRESH_MS);
  }

  /** Reload as many documents as are shown, and keep those until all have arrived. Only one refresh runs at a time: the connection may be slow. */
  async #refresh(): Promise<void> {
    if (this.#isRefreshing) return;
    const request = ++this.#request;
    this.#isRefreshing = true;
    this.#meanwhile.clear();
    try {
      let found: DocumentItemFragment[] = [];
      let page: Page | null = null;
      let total: number | null = null;
      do {
        page = await this.#query(page?.pageInfo.endCursor ?? null);
        if (request !== this.#request || !page) return;
        found = [...found, ...page.nodes];
        if ((total ??= page.totalCount) !== page.totalCount) this.#isOutdated = true; // new documents come before those that were loaded
      } while (page.pageInfo.hasNextPage && found.length < this.documents.length);
      this.#show(found, page);
    } catch (error) {
      if (request === this.#request) this.problem = asProblem(error);
    } finally {
      this.#isRefreshing = false;
      if (this.#isOutdated) {
        this.#isOutdated = false;
        this.#refreshSoon();
      }
    }
  }

  async #query(after: string | null): Promise<Page | null> {
    const filter = { titleContains: this.title || null, status: this.status ? [this.status] : null };
    const { project } = await query(ProjectDocumentsDocument, { id: this.projectId, filter, first: PAGE, after }, "network-only");
    return project?.documents ?? null;
  }

  #show(documents: DocumentItemFragment[], { pageInfo, totalCount }: Page): void {
    const now = documents.map((document) => (this.#meanwhile.has(document.id) ? this.#meanwhile.get(document.id) : document));
    this.documents = now.filter((document) => !!document);
    this.problem = null;
    this.total = totalCount;
    this.hasMore = pageInfo.hasNextPage;
    this.#after = pageInfo.endCursor;
  }

  async #readPage(known: DocumentItemFragment[]): Promise<void> {
    const request = ++this.#request;
    this.loading = true;
    this.#meanwhile.clear();
    try {
      const page = await this.#query(this.#after);
      if (request === this.#request && page) this.#show([...known, ...page.nodes], page);
    } catch (error) {
      if (request === this.#request) this.problem = asProblem(error);
    } finally {
      if (request === this.#request) this.loading = false;
    }
  }
}
