/** Uploads to projects: a few at a time, with their progress. They continue while other views are shown. */
import {
  ENDPOINT, headers, isServerThere, Problem, UploadDocumentDocument, type DocumentItemFragment, type ProblemFragment,
} from "$lib/api";
import { reportIfOutdated, reportRefusal } from "$lib/api/client";
import { asProblem, fromError, fromFragment, fromStatus, RETRY_AFTER, unreachable, type ApiError } from "$lib/api/problem";
import { authorization } from "$lib/api/token";
import { t } from "$lib/messages.svelte";

const AT_ONCE = 3;
const AGAIN_MS = 3_000;
/** Pause between two files where users sign in, so that half of their requests per minute are left for everything else. */
const APART_MS = 100;
const TOO_LARGE = 413;
const TOO_SLOW = 408;
/** The order of the list. */
const ORDER = { sending: 0, failed: 1, refused: 1, skipped: 1, waiting: 2, sent: 3 } as const;
/** Files with passwords or private keys, by their names and beginnings. The server has the same patterns. */
const SECRET_NAME = /^(.*\.env|[._]?netrc|id_(rsa|dsa|ecdsa|ed25519)|(credentials?|secrets?)(\.(json|ya?ml|toml|ini|cfg|conf))?)$/i;
const PRIVATE_KEY = /^\s*(-----BEGIN [A-Z0-9 ]*PRIVATE KEY|PuTTY-User-Key-File-)/;
const HEAD_BYTES = 200;
/** The most files in one drop: more are most likely a mistake. */
export const MAX_FILES = 2_000;

export interface Upload {
  id: number;
  projectId: string;
  file: File;
  /** Path inside the dropped folder, or the file's name. Files with the same source are versions of one document. */
  source: string;
  /** `refused`: the server does not accept it, and would not on a retry. `skipped`: it is not sent at all. */
  state: "waiting" | "sending" | "sent" | "failed" | "refused" | "skipped";
  /** Fraction of the file that has been sent. */
  sent: number;
  problem: string;
}

export interface DroppedFile {
  file: File;
  source: string;
  /** Why it cannot be sent; `file` is then an empty stand-in. */
  problem?: string;
  /** Why it is not sent. */
  skipped?: string;
}

type Answer = { data?: { uploadDocument: ProblemFragment | { document: DocumentItemFragment } }; errors?: ApiError[] };

let last = 0;

class Uploads {
  list = $state<Upload[]>([]);
  /** Why nothing is being sent although files are waiting. Uploading resumes automatically. */
  pause = $state.raw<Problem | null>(null);
  /** Reduced if the connection turns out to be too slow for several, which would all time out. */
  #atOnce = AT_ONCE;
  #running = 0;
  #lastStart = -Infinity;
  #nextStart: ReturnType<typeof setTimeout> | undefined;
  #requests = new Map<number, XMLHttpRequest>();
  #listeners = new Set<(document: DocumentItemFragment) => void>();

  constructor() {
    // Only this tab has the files: the user is asked before leaving it.
    addEventListener("beforeunload", (event) => {
      if (this.list.some(({ state }) => state === "sending" || state === "waiting")) event.preventDefault();
    });
  }

  /** A project's uploads that have not arrived: those being sent, then those that failed, then those waiting. */
  of(projectId: string): Upload[] {
    return this.list
      .filter((upload) => upload.projectId === projectId && upload.state !== "sent")
      .toSorted((a, b) => ORDER[a.state] - ORDER[b.state] || a.id - b.id);
  }

  /** Call `listener` with each document that has arrived. Returns a function that stops this. */
  onArrival(listener: (document: DocumentItemFragment) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Upload these files, except those for which `refuse` gives a reason. */
  add(projectId: string, files: readonly DroppedFile[], refuse: (fileName: string) => string | null): void {
    for (const { file, source, problem, skipped = refuse(file.name) } of files) {
      const state = problem ? "refused" : skipped ? "skipped" : "waiting";
      this.list.push({ id: ++last, projectId, file, source, state, sent: 0, problem: problem ?? skipped ?? "" });
    }
    this.#next();
  }

  retry(upload: Upload): void {
    Object.assign(upload, { state: "waiting", sent: 0, problem: "" });
    this.#next();
  }

  /** Retry all of a project's failed uploads. */
  retryAll(projectId: string): void {
    for (const upload of this.of(projectId)) {
      if (upload.state === "failed") Object.assign(upload, { state: "waiting", sent: 0, problem: "" });
    }
    this.#next();
  }

  /** Remove a project's failed and refused uploads from the list. */
  clear(projectId: string): void {
    const gone = new Set(this.of(projectId).flatMap(({ id, problem }) => (problem ? [id] : [])));
    this.list = this.list.filter(({ id }) => !gone.has(id));
  }

  /** Remove a file from the list, and stop sending it. */
  remove(upload: Upload): void {
    this.list = this.list.filter(({ id }) => id !== upload.id);
    this.#requests.get(upload.id)?.abort();
  }

  /** Remove all of a project's unfinished uploads from the list, and stop sending them. */
  cancel(projectId: string): void {
    const left = new Set(this.of(projectId).flatMap(({ id, problem }) => (problem ? [] : [id])));
    this.list = this.list.filter(({ id }) => !left.has(id));
    for (const id of left) this.#requests.get(id)?.abort();
  }

  #next(): void {
    while (this.#running < this.#atOnce && !this.pause) {
      const upload = this.list.find(({ state }) => state === "waiting");
      if (!upload) return;
      const wait = authorization() === null ? 0 : this.#lastStart + APART_MS - performance.now();
      if (wait > 0) return this.#nextIn(wait);
      this.#lastStart = performance.now();
      void this.#send(upload);
    }
  }

  #nextIn(ms: number): void {
    this.#nextStart ??= setTimeout(() => {
      this.#nextStart = undefined;
      this.#next();
    }, ms);
  }

  async #send(upload: Upload): Promise<void> {
    this.#running += 1;
    upload.state = "sending";
    const credential = authorization();
    const isAlone = this.#atOnce === 1;
    try {
      const document = await this.#post(upload);
      upload.state = "sent";
      this.list = this.list.filter(({ id }) => id !== upload.id);
      for (const listener of this.#listeners) listener(document);
    } catch (error) {
      const problem = asProblem(error);
      if (problem.kind === "unauthenticated" && credential === authorization()) reportRefusal(problem);
      if (problem.isTemporary) {
        Object.assign(upload, { state: "waiting", sent: 0 });
        this.#wait(problem);
      } else if (problem.kind === "TooSlow" && !isAlone) {
        Object.assign(upload, { state: "waiting", sent: 0 });
        this.#atOnce = 1;
      } else {
        const refusal = { state: problem.isPermanent ? "refused" : "failed", problem: problem.message } as const;
        Object.assign(upload, refusal);
        if (isOfProject(problem)) this.#refuseAll(upload.projectId, refusal);
        reportIfOutdated(problem);
      }
    } finally {
      this.#requests.delete(upload.id);
      this.#running -= 1;
      this.#next();
    }
  }

  /** Nothing can be added to the project any more: give its waiting files the same state instead of sending them. */
  #refuseAll(projectId: string, refusal: Pick<Upload, "state" | "problem">): void {
    for (const upload of this.of(projectId)) if (upload.state === "waiting") Object.assign(upload, refusal);
  }

  /** Pause until the server can be reached, until the user has signed in, or for as long as the server says. */
  #wait(problem: Problem): void {
    if (this.pause) return;
    this.pause = problem;
    setTimeout(() => void this.#goOn(problem), problem.retryAfterMs ?? AGAIN_MS);
  }

  async #goOn(problem: Problem): Promise<void> {
    const signedOut = problem.kind === "unauthenticated" && authorization() === null;
    const isWaiting = this.list.some(({ state }) => state === "waiting");
    const stays = isWaiting && (signedOut || (problem.kind === "unreachable" && !(await isServerThere())));
    this.pause = null;
    if (stays) this.#wait(problem);
    else this.#next();
  }

  /** Remove all uploads, because somebody else has signed in. */
  forget(): void {
    for (const upload of this.list) this.remove(upload);
  }

  /** One request of the GraphQL multipart request specification. */
  #post(upload: Upload): Promise<DocumentItemFragment> {
    const { projectId, source, file } = upload;
    const body = new FormData();
    const query = UploadDocumentDocument.toString();
    body.append("operations", JSON.stringify({ query, variables: { input: { projectId, source, file: null } } }));
    body.append("map", JSON.stringify({ 0: ["variables.input.file"] }));
    body.append("0", file, file.name);
    const request = new XMLHttpRequest(); // fetch does not report progress
    this.#requests.set(upload.id, request);
    return new Promise((resolve, reject) => {
      request.upload.onprogress = ({ loaded, total }) => (upload.sent = total ? loaded / total : 0);
      request.onerror = () => void reasonOf(file).then(reject);
      request.onabort = () => reject(new Problem("")); // it was removed from the list, so this is never shown
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

/** Whether a problem concerns the project, which is gone or has become read-only, rather than the file. */
function isOfProject({ kind }: Problem): boolean {
  return kind === "NotFoundError" || kind === "ForbiddenError";
}

/** Why a file did not arrive. Browsers report a file that changed after it was chosen like a lost connection. */
async function reasonOf(file: File): Promise<Problem> {
  try {
    // Not a slice: Chromium reads a slice of a file that is gone as empty, without an error.
    const reader = file.stream().getReader();
    await reader.read();
    void reader.cancel();
    return unreachable();
  } catch {
    return new Problem(t("knowledge.fileChanged"), "FileChanged");
  }
}

/** The document in a response. Throws a Problem. */
function read(request: XMLHttpRequest): DocumentItemFragment {
  let answer: Answer;
  try {
    answer = JSON.parse(request.responseText) as Answer;
  } catch {
    throw fromStatus(request.status, request.getResponseHeader(RETRY_AFTER));
  }
  const [error] = answer.errors ?? [];
  if (error && request.status === TOO_LARGE) throw new Problem(fromError(error).message, "TooLarge");
  if (error && request.status === TOO_SLOW) throw new Problem(fromError(error).message, "TooSlow");
  if (error) throw fromError(error, request.status);
  if (!answer.data) throw fromStatus(request.status);
  const found = answer.data.uploadDocument;
  if ("document" in found) return found.document;
  throw fromFragment(found);
}

/**
 * The files that were dropped or chosen, including the contents of folders except hidden ones. What cannot be read is
 * listed by its name. If there are too many, returns one more than the maximum.
 */
export async function filesOf(items: DataTransferItemList | null, files: FileList | null): Promise<DroppedFile[]> {
  const entries = [...(items ?? [])].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (!entries.length) {
    const chosen = [...(files ?? [])].map((file) => ({ file, source: file.webkitRelativePath || file.name }));
    return Promise.all(chosen.filter(({ source }) => !/\/\./.test(source)).slice(0, MAX_FILES + 1).map(skipSecrets));
  }
  const found: DroppedFile[] = [];
  for (const entry of entries) await walk(entry, found);
  return Promise.all(found.map(skipSecrets));
}

/** Skip a file of a folder that may hold secrets: nobody means to add those with the rest. */
async function skipSecrets(dropped: DroppedFile): Promise<DroppedFile> {
  const { file, source, problem } = dropped;
  if (problem || !source.includes("/")) return dropped;
  const isSecret = SECRET_NAME.test(file.name) || PRIVATE_KEY.test(await file.slice(0, HEAD_BYTES).text().catch(() => ""));
  return isSecret ? { ...dropped, skipped: t("knowledge.secret") } : dropped;
}

/** Chromium lacks the standard names of the entry interfaces: they are told apart by their properties. */
async function walk(entry: FileSystemEntry, found: DroppedFile[]): Promise<void> {
  if (found.length > MAX_FILES || entry.name.startsWith(".")) return;
  const source = entry.fullPath.replace(/^\//, "");
  try {
    if (entry.isFile) found.push({ file: await readFile(entry as FileSystemFileEntry), source });
    else await walkFolder(entry as FileSystemDirectoryEntry, found);
  } catch {
    found.push({ file: new File([], entry.name), source, problem: t("knowledge.unreadable") });
  }
}

function readFile(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

async function walkFolder(folder: FileSystemDirectoryEntry, found: DroppedFile[]): Promise<void> {
  const reader = folder.createReader();
  for (;;) {
    // A reader returns at most 100 entries per call, and none at the end.
    const page = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (!page.length) return;
    for (const child of page) await walk(child, found);
  }
}

export const uploads = new Uploads();
