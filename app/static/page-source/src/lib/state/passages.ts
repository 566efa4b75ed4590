/** The differences between the passages of two prompts. */
import type { Preview } from "./preview.svelte";

type Candidate = Preview["budget"]["candidates"][number];
const SENT = new Set<Candidate["decision"]>(["INCLUDED", "SHORTENED"]);

export interface PassageChanges {
  kept: Candidate[];
  come: Candidate[];
  gone: Candidate[];
}

export function comparePassages(before: Preview, after: Preview): PassageChanges {
  const [first, second] = [sentOf(before), sentOf(after)];
  const [firstKeys, secondKeys] = [new Set(first.map(keyOf)), new Set(second.map(keyOf))];
  return {
    kept: second.filter((candidate) => firstKeys.has(keyOf(candidate))),
    come: second.filter((candidate) => !firstKeys.has(keyOf(candidate))),
    gone: first.filter((candidate) => !secondKeys.has(keyOf(candidate))),
  };
}

function sentOf({ budget }: Preview): Candidate[] {
  return budget.candidates.filter(({ decision }) => SENT.has(decision));
}

function keyOf({ chunk, documentTitle, score }: Candidate): string {
  return chunk?.id ?? `${documentTitle} ${score}`; // the chunk may be gone
}
