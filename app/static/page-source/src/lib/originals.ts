/** Originals of documents, and links to them. */
import { headers, OriginalLinkDocument, Problem, query } from "$lib/api";
import { fromError, fromStatus, RETRY_AFTER, unreachable, type ApiError } from "./api/problem";
import { t } from "./messages.svelte";
import type { SignedUrl } from "./state/signed-link.svelte";

/** Media types that browsers display; they save all others. */
const SHOWN = /^(?:image\/|application\/pdf$|text\/plain$)/;

export function isShown(mediaType: string): boolean {
  return SHOWN.test(mediaType);
}

/** The original's bytes. Throws a Problem. */
export async function readOriginal({ originalUrl }: { originalUrl: string | null }): Promise<Blob> {
  if (!originalUrl) throw new Problem(t("original.none"));
  let response: Response;
  try {
    response = await fetch(originalUrl, { headers: headers() });
    if (response.ok) return await response.blob();
  } catch {
    throw unreachable();
  }
  throw await reasonOf(response);
}

/** A link to the original that is valid for a few minutes. Throws a Problem. */
export async function readLink(documentId: string): Promise<SignedUrl> {
  const { document } = await query(OriginalLinkDocument, { id: documentId }, "network-only");
  if (!document) throw new Problem(t("missing.text"));
  return document.signedUrl;
}

/** Save the original under its own name. Throws a Problem. */
export async function download(documentId: string): Promise<void> {
  const { href } = await readLink(documentId);
  Object.assign(document.createElement("a"), { href, download: "" }).click();
}

async function reasonOf(response: Response): Promise<Problem> {
  try {
    const { errors } = (await response.json()) as { errors: ApiError[] };
    return fromError(errors[0]!, response.status);
  } catch {
    return fromStatus(response.status, response.headers.get(RETRY_AFTER));
  }
}
