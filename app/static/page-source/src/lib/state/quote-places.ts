/** Positions of quotes on the pages of a PDF. */
import { query, QuotePlacesDocument } from "$lib/api";
import type { PagePlacesFragment } from "$lib/api";

/** One use of a citation of an answer. */
export interface QuotePlace {
  messageId: string;
  index: number;
  use: number;
}

/** The positions of its words, by page; empty if they are not certain. Throws a Problem. */
export async function findPlaces({ messageId, index, use }: QuotePlace): Promise<readonly PagePlacesFragment[]> {
  const { message } = await query(QuotePlacesDocument, { messageId });
  return message?.citations.find((citation) => citation.index === index)?.uses[use]?.rectangles ?? [];
}
