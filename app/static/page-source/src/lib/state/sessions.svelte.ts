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
  /** Why they could not be loaded. */
  problem = $state.raw<Problem | null>(null);
  /** Whether there are older ones. */
  hasMore = $state(false);
  /** Whether archived chats are listed instead of the others. */
  archived = $state(false);
  #projectId: string | null = null;
  #after: string | null = null;
  /** The number of the last request: results of earlier ones are dropped. */
  #request = 0;
  /** Chats that changed since the last request began, whose result may be older; null for deleted ones. */
  #changes = new Map<string, SessionItem | null>();

  readonly groups = $derived.by(() => {
    const listed = this.#list.filter(({ archived }) => archived === this.archived);
    const newestFirst = listed.toSorted((a, b) => (a.lastActivityAt < b.lastActivityAt ? 1 : -1));
    const groups = Map.groupBy(newestFirst, (session): SessionGroup => (session.pinned ? "pinned" : ageOf(session.lastActivityAt)));
    return [...groups].sort(([a], [b]) => Number(b === "pinned") - Number(a === "pinned"));
  });

  find(id: string): SessionItem | undefined {
    return this.#list.find((session) => session.id === id);
  }

  /** Empty the list, because somebody else has signed in. */
  forget(): void {
    this.#request += 1;
    this.#list = [];
    this.#projectId = null;
    this.#after = null;
    this.hasMore = false;
    this.loading = false;
    this.problem = null;
  }

  /** Load the chats of this project. */
  async read(projectId: string, archived = false): Promise<void> {
    if (projectId !== this.#projectId || archived !== this.archived) {
      this.#list = [];
      this.hasMore = false;
      this.problem = null;
      this.#after = null;
    }
    this.#projectId = projectId;
    this.archived = archived;
    await this.#readOn(null);
  }

  async readMore(): Promise<void> {
    if (this.hasMore && !this.loading) await this.#readOn(this.#after);
  }

  /** Load again what could not be loaded. */
  async retry(): Promise<void> {
    if (!this.loading) await this.#readOn(this.#after);
  }

  /** Reload as many chats as are listed. If that fails, the list stays as it is. */
  async refresh(): Promise<void> {
    await this.#readOn(null, Math.max(1, this.#list.length));
  }

  /** Change the title, or whether it is shared, pinned or archived. */
  async update(input: UpdateChatSessionInput): Promise<void> {
    const { chatSession } = await mutate(UpdateChatSessionDocument, { input });
    this.#changes.set(chatSession.id, chatSession);
    this.#list = [...this.#list.filter(({ id }) => id !== chatSession.id), chatSession];
  }

  async remove(id: string): Promise<void> {
    await mutate(DeleteChatSessionDocument, { id });
    this.#changes.set(id, null);
    this.#list = this.#list.filter((session) => session.id !== id);
  }

  /** Load at least `count` chats after a cursor, if there are that many. Without a cursor, they replace the list. */
  async #readOn(after: string | null, count = 1): Promise<void> {
    const [id, archived, request] = [this.#projectId, this.archived, ++this.#request];
    this.#changes.clear();
    if (!id) return;
    this.loading = true;
    try {
      const nodes: SessionItem[] = [];
      let page: { hasNextPage: boolean; endCursor: string | null } = { hasNextPage: true, endCursor: after };
      while (page.hasNextPage && nodes.length < count) {
        const { project } = await query(ProjectSessionsDocument, { id, archived, after: page.endCursor }, "network-only");
        if (request !== this.#request) return;
        if (project === null) {
          current.reportMissing();
          return;
        }
        nodes.push(...project.chatSessions.nodes);
        page = project.chatSessions.pageInfo;
      }
      const read = nodes.flatMap((session) => this.#changes.get(session.id) ?? (this.#changes.has(session.id) ? [] : session));
      const ids = new Set(read.map((session) => session.id));
      this.#list = [...(after === null ? [] : this.#list.filter((session) => !ids.has(session.id))), ...read];
      this.#after = page.endCursor;
      this.hasMore = page.hasNextPage;
      this.problem = null;
    } catch (error) {
      if (request === this.#request && (after !== null || !this.#list.length)) this.problem = asProblem(error);
    } finally {
      if (request === this.#request) this.loading = false;
    }
  }
}

export const sessions = new Sessions();
