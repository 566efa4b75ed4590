/** What happened to the passages that were found for an answer. */
import type { AnswerEvidenceQuery, CandidateFragment } from "$lib/api";

export type EvidenceMessage = NonNullable<AnswerEvidenceQuery["message"]>;
export type Found = CandidateFragment & { at: number };

const READ = new Set<CandidateFragment["decision"]>(["INCLUDED", "SHORTENED"]);

/** Passages that were given to the model but are not cited, and passages that were not given to it. */
export function sortFound(message: EvidenceMessage): { read: Found[]; left: Found[] } {
  const cited = new Set(message.citations.flatMap(({ uses }) => uses.map(({ chunk }) => chunk?.id)));
  const all = (message.budget?.candidates ?? []).map((candidate, at) => ({ ...candidate, at }));
  return {
    read: all.filter(({ decision, chunk }) => READ.has(decision) && !(chunk && cited.has(chunk.id))),
    left: all.filter(({ decision }) => !READ.has(decision)),
  };
}
