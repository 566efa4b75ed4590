/** Files on their way to a project: a few at a time, with their progress. They go on while other views are shown. */
import { ENDPOINT, headers, Problem, UploadDocumentDocument, type DocumentItemFragment, type ProblemFragment } from "$lib/api";
import { asProblem, fromFragment, isAway, unreachable, type ProblemKind } from "$lib/api/problem";

const AT_ONCE = 3;
/** What the same file would meet again. */
const FINAL = new Set<ProblemKind>(["ValidationError", "ForbiddenError", "NotFoundError"]);
/** Folders may hold any number of files; more than this in one drop is more likely a mistake. */
export const MAX_FILES = 2_000;

export interface Upload {
  id: number;
  projectId: string;
  file: File;
  /** Path inside the dropped folder, or the file's name: what tells versions of a document from other documents. */
  source: string;
  /** `refused`: the server does not take it, and would not the next time. */
  state: "waiting" | "sending" | "sent" | "failed" | "refused";
  /** Fraction of the file that has left. */
  sent: number;
  problem: string;
}

export interface DroppedFile {
  file: File;
  source: string;
}

type Answer = { data?: { uploadDocument: ProblemFragment | { document: DocumentItemFragment } }; errors?: { message: string }[] };

let last = 0;

class Uploads {
  list = $state<Upload[]>([]);
  #running = 0;
  #requests = new Map<number, XMLHttpRequest>();
  #listeners = new Set<(document: DocumentItemFragment) => void>();

  /** Those of a project, in order, without those that have arrived. */
  of(projectId: string): Upload[] {
    return this.list.filter((upload) => upload.projectId === projectId && upload.state !== "sent");
  }

  /** Call `listener` with each document that has arrived. Returns what ends it. */
  onArrival(listener: (document: DocumentItemFragment) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Send these files, except those for which `refuse` gives a reason. */
  add(projectId: string, files: readonly DroppedFile[], refuse: (fileName: string) => string | null): void {
    for (const { file, source } of files) {
      const problem = refuse(file.name) ?? "";
      this.list.push({ id: ++last, projectId, file, source, state: problem ? "refused" : "waiting", sent: 0, problem });
    }
    this.#next();
  }

  retry(upload: Upload): void {
    Object.assign(upload, { state: "waiting", sent: 0, problem: "" });
    this.#next();
  }

  /** Take a file out of the list, and stop sending it. */
  remove(upload: Upload): void {
    this.#requests.get(upload.id)?.abort();
    this.list = this.list.filter(({ id }) => id !== upload.id);
  }

  #next(): void {
    while (this.#running < AT_ONCE) {
      const upload = this.list.find(({ state }) => state === "waiting");
      if (!upload) return;
      void this.#send(upload);
    }
  }

  async #send(upload: Upload): Promise<void> {
    this.#running += 1;
    upload.state = "sending";
    try {
      const document = await this.#post(upload);
      upload.state = "sent";
      this.list = this.list.filter(({ id }) => id !== upload.id);
      for (const listener of this.#listeners) listener(document);
    } catch (error) {
      const problem = asProblem(error);
      Object.assign(upload, { state: FINAL.has(problem.kind) ? "refused" : "failed", problem: problem.message });
    } finally {
      this.#requests.delete(upload.id);
      this.#running -= 1;
      this.#next();
    }
  }

  /** One request of the GraphQL multipart request specification. */
  #post(upload: Upload): Promise<DocumentItemFragment> {
    const { projectId, source, file } = upload;
    const body = new FormData();
    const query = UploadDocumentDocument.toString();
    body.append("operations", JSON.stringify({ query, variables: { input: { projectId, source, file: null } } }));
    body.append("map", JSON.stringify({ 0: ["variables.input.file"] }));
    body.append("0", file, file.name);
    const request = new XMLHttpRequest(); // fetch does not tell how much has left
    this.#requests.set(upload.id, request);
    return new Promise((resolve, reject) => {
      request.upload.onprogress = ({ loaded, total }) => (upload.sent = total ? loaded / total : 0);
      request.onerror = () => reject(unreachable());
      request.onabort = () => reject(new Problem("")); // it was removed from the list: nobody reads this
      request.onload = () => {
        try {
          resolve(read(request));
        } catch (error) {
          reject(asProblem(error));
        }
      };
      request.open("POST", ENDPOINT);
      for (const [name, value] of Object.entries(headers())) request.setRequestHeader(name, value);
      request.send(body);
    });
  }
}

/** The document of an answer. Throws a Problem. */
function read(request: XMLHttpRequest): DocumentItemFragment {
  let answer: Answer;
  try {
    answer = JSON.parse(request.responseText) as Answer;
  } catch {
    throw isAway(request.status) ? unreachable() : new Problem(`${request.status} ${request.statusText}`);
  }
  const [error] = answer.errors ?? [];
  if (error || !answer.data) throw new Problem(error?.message ?? `${request.status} ${request.statusText}`);
  const found = answer.data.uploadDocument;
  if ("document" in found) return found.document;
  throw fromFragment(found);
}

/** The files of a drop or a choice, folders with all that is in them. */
export async function filesOf(items: DataTransferItemList | null, files: FileList | null): Promise<DroppedFile[]> {
  const entries = [...(items ?? [])].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (!entries.length) {
    return [...(files ?? [])].slice(0, MAX_FILES).map((file) => ({ file, source: file.webkitRelativePath || file.name }));
  }
  const found: DroppedFile[] = [];
  for (const entry of entries) await walk(entry, found);
  return found;
}

async function walk(entry: FileSystemEntry, found: DroppedFile[]): Promise<void> {
  if (found.length >= MAX_FILES || entry.name.startsWith(".")) return;
  if (entry instanceof FileSystemFileEntry) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    found.push({ file, source: entry.fullPath.replace(/^\//, "") });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // A reader gives a hundred entries at most each time, and none at the end.
    const page = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (!page.length) return;
    for (const child of page) await walk(child, found);
  }
}

export const uploads = new Uploads();
