/** The router: which view the address names. */
import { forgetScroll, noteScroll, returnToScroll } from "./scroll";
import { unsaved } from "./unsaved.svelte";

export type Route =
  | { view: "home" }
  | { view: "project"; projectId: string; tab: "chat" | "settings" | "members" }
  | { view: "project"; projectId: string; tab: "knowledge"; section: KnowledgeSection }
  | { view: "chat"; sessionId: string; messageId: string | null }
  | { view: "account" }
  | { view: "status" }
  | { view: "handbook"; page: string | null }
  | { view: "missing" };

/** The first has the address of the tab itself. */
export const KNOWLEDGE_SECTIONS = ["documents", "search", "model"] as const;
export type KnowledgeSection = (typeof KNOWLEDGE_SECTIONS)[number];

const TABS = ["settings", "members"] as const;

function parse(path: string): Route {
  const [first, id, tab, part] = partsOf(path);
  if (first === undefined) return { view: "home" };
  if (first === "account" || first === "status") return { view: first };
  if (first === "handbook" && tab === undefined) return { view: "handbook", page: id ?? null };
  if (first === "c" && id) return { view: "chat", sessionId: id, messageId: tab ?? null };
  if (first === "p" && id) {
    const section = part === undefined ? KNOWLEDGE_SECTIONS[0] : KNOWLEDGE_SECTIONS.find((name) => name === part);
    if (tab === "knowledge" && section) return { view: "project", projectId: id, tab, section };
    const found = tab === undefined ? "chat" : TABS.find((name) => name === tab);
    if (found) return { view: "project", projectId: id, tab: found };
  }
  return { view: "missing" };
}

/** The decoded parts of a path; a part that no view has if it cannot be decoded. */
function partsOf(path: string): string[] {
  try {
    return path.split("/").filter(Boolean).map(decodeURIComponent);
  } catch {
    return ["\0"];
  }
}

class Router {
  #path = $state(location.pathname);
  readonly route = $derived(parse(this.#path));
  /** How many times the user has gone back or forward to another view, as opposed to navigation by the page itself. */
  returns = $state(0);

  constructor() {
    addEventListener("popstate", () => {
      forgetScroll();
      if (location.pathname === this.#path) returnToScroll();
      else if (unsaved.mayLeave()) [this.#path, this.returns] = [location.pathname, this.returns + 1];
      else history.pushState(null, "", this.#path);
    });
    addEventListener("click", (event) => this.#click(event));
  }

  /** Show the view of this path. `replace`: in the current history entry, if there is nothing to come back to. */
  go(path: string, replace = false, hash = ""): void {
    if (path === location.pathname || (!replace && !unsaved.mayLeave())) return;
    noteScroll();
    if (replace) history.replaceState(null, "", path + hash);
    else history.pushState(null, "", path + hash);
    this.#path = location.pathname;
  }

  /** Follow links to views without reloading the page. */
  #click(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (parse(link.pathname).view === "missing") return;
    if (link.hash && link.pathname === location.pathname) return noteScroll(); // a place in the current view
    event.preventDefault();
    this.go(link.pathname, false, link.hash);
  }
}

export const router = new Router();

/** Addresses of the views. */
export const paths = {
  project: (id: string) => `/p/${encodeURIComponent(id)}`,
  knowledge: (id: string, section: KnowledgeSection = KNOWLEDGE_SECTIONS[0]) =>
    `/p/${encodeURIComponent(id)}/knowledge${section === KNOWLEDGE_SECTIONS[0] ? "" : `/${section}`}`,
  settings: (id: string) => `/p/${encodeURIComponent(id)}/settings`,
  members: (id: string) => `/p/${encodeURIComponent(id)}/members`,
  chat: (id: string) => `/c/${encodeURIComponent(id)}`,
  message: (sessionId: string, id: string) => `/c/${encodeURIComponent(sessionId)}/${encodeURIComponent(id)}`,
  account: "/account",
  status: "/status",
  playground: "/graphql",
  handbook: "/handbook",
  handbookPage: (name: string) => `/handbook/${encodeURIComponent(name)}`,
} as const;
