/** All projects that the user has access to, page by page. */
import { asProblem, ProjectsDocument, query, Watched } from "$lib/api";
import type { Problem, ProjectItemFragment } from "$lib/api";
import { current } from "./current.svelte";
import { keepCurrent } from "./outdated.svelte";

/** Create it while a component initializes. The list is null until it has loaded completely. */
export class Projects {
  list = $state.raw<ProjectItemFragment[] | null>(null);
  problem = $state.raw<Problem | null>(null);
  readonly #first = new Watched(ProjectsDocument, () => ({ after: null }));

  constructor() {
    keepCurrent(() => this.reload());
    $effect(() => {
      if (current.missingCount) this.reload();
    });
    $effect(() => {
      const { data, problem } = this.#first;
      let isCurrent = true;
      this.problem = data ? null : problem;
      if (data) {
        readOn(data.projects).then(
          (all) => isCurrent && (this.list = all),
          (error: unknown) => isCurrent && (this.problem = asProblem(error)),
        );
      }
      return () => (isCurrent = false);
    });
  }

  reload(): void {
    this.#first.reload();
  }
}

async function readOn({ nodes, pageInfo }: { nodes: ProjectItemFragment[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } }): Promise<ProjectItemFragment[]> {
  if (!pageInfo.hasNextPage) return nodes;
  const { projects } = await query(ProjectsDocument, { after: pageInfo.endCursor }, "network-only");
  return [...nodes, ...(await readOn(projects))];
}
