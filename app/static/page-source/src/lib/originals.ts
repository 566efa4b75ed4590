/** Originals of documents: read with the credential, kept or shown by this page alone. */
import { headers, Problem } from "$lib/api";
import { saveFile } from "./files";

interface Original {
  title: string;
  originalUrl: string | null;
}

/** The original's bytes, and its own file name. Throws a Problem. */
export async function readOriginal(document: Original): Promise<{ content: Blob; name: string }> {
  if (!document.originalUrl) throw new Problem("This document has no original.");
  let response: Response;
  try {
    response = await fetch(document.originalUrl, { headers: headers() });
  } catch (error) {
    throw new Problem(error instanceof Error ? error.message : String(error), "unreachable");
  }
  if (!response.ok) throw new Problem(await reasonOf(response), response.status === 401 ? "unauthenticated" : "other");
  return { content: await response.blob(), name: nameIn(response.headers.get("content-disposition")) ?? document.title };
}

/** Save the original under its own name. */
export async function download(document: Original): Promise<void> {
  const { content, name } = await readOriginal(document);
  saveFile(content, name);
}

function nameIn(disposition: string | null): string | null {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition ?? "")?.[1];
  return encoded ? decodeURIComponent(encoded) : null;
}

async function reasonOf(response: Response): Promise<string> {
  try {
    const { errors } = (await response.json()) as { errors: { message: string }[] };
    return errors[0]!.message;
  } catch {
    return `${response.status} ${response.statusText}`;
  }
}
