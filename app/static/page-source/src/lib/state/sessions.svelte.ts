/** The chats of the current project: pinned ones first, then by their last question. */
import { asProblem, DeleteChatSessionDocument, mutate, ProjectSessionsDocument, query, UpdateChatSessionDocument } from "$lib/api";
import type { Problem, SessionItemFragment, UpdateChatSessionInput } from "$lib/api";
import { ageOf } from "$lib/format";
import { current } from "./current.svelte";

export type SessionItem = SessionItemFragment;
export type SessionGroup = "pinned" | ReturnType<typeof ageOf>;

class Sessions {
  #list = $state.raw<SessionItem[]>([]);
  loading = $state(false);
  /** Why they could not be read. */
  problem = $state.raw<Problem | null>(null);
  /** Whether there are older ones. */
  hasMore = $state(false);
  /** Whether those that were put away are listed, instead of the others. */
  archived = $state(false);
  #projectId: string | null = null;
  #after: string | null = null;
  /** The number of the last request: whatever comes for an earlier one is dropped. */
  #request = 0;

  readonly groups = $derived.by(() => {
    const listed = this.#list.filter(({ archived }) => archived === this.archived);
    const newestFirst = listed.toSorted((a, b) => (a.lastActivityAt < b.lastActivityAt ? 1 : -1));
    const groups = Map.groupBy(newestFirst, (session): SessionGroup => (session.pinned ? "pinned" : ageOf(session.lastActivityAt)));
    return [...groups].sort(([a], [b]) => Number(b === "pinned") - Number(a === "pinned"));
  });

  find(id: string): SessionItem | undefined {
    return this.#list.find((session) => session.id === id);
  }

  /** Somebody else is signed in: these are not their chats. */
  forget(): void {
    this.#request += 1;
    this.#list = [];
    this.#projectId = null;
    this.#after = null;
    this.hasMore = false;
    this.loading = false;
    this.problem = null;
  }

  /** Read the chats of this project anew. */
  async read(projectId: string, archived = false): Promise<void> {
    if (projectId !== this.#projectId || archived !== this.archived) {
      this.#list = [];
      this.hasMore = false;
      this.problem = null;
    }
    this.#projectId = projectId;
    this.archived = archived;
    this.#after = null;
    await this.#readPage([]);
  }

  async readMore(): Promise<void> {
    if (this.hasMore && !this.loading) await this.#readPage(this.#list);
  }

  /** Read again what could not be read. */
  async retry(): Promise<void> {
    if (this.#projectId && !this.loading) await this.#readPage(this.#after === null ? [] : this.#list);
  }

  /** Somebody is using a chat: read what has become of the list. */
  async refresh(): Promise<void> {
    if (this.#projectId && !this.archived) await this.read(this.#projectId);
  }

  /** Change the title, or whether it is shared, pinned or archived. */
  async update(input: UpdateChatSessionInput): Promise<void> {
    const { chatSession } = await mutate(UpdateChatSessionDocument, { input });
    this.#list = [...this.#list.filter(({ id }) => id !== chatSession.id), chatSession];
  }

  async remove(id: string): Promise<void> {
    await mutate(DeleteChatSessionDocument, { id });
    this.#list = this.#list.filter((session) => session.id !== id);
  }

  async #readPage(known: SessionItem[]): Promise<void> {
    const [id, archived, request] = [this.#projectId, this.archived, ++this.#request];
    if (!id) return;
    this.loading = true;
    try {
      const { project } = await query(ProjectSessionsDocument, { id, archived, after: this.#after }, "network-only");
      if (request !== this.#request) return;
      if (project === null) {
        current.reportMissing();
        return;
      }
      const { nodes, pageInfo } = project.chatSessions;
      this.#list = [...known, ...nodes];
      this.#after = pageInfo.endCursor;
      this.hasMore = pageInfo.hasNextPage;
      this.problem = null;
    } catch (error) {
      if (request === this.#request) this.problem = asProblem(error);
    } finally {
      if (request === this.#request) this.loading = false;
    }
  }
}

export const sessions = new Sessions();
