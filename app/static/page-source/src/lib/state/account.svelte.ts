/** Who is signed in, and whether the server wants to know. */
import { ChangePasswordDocument, mutate, Problem, query, RedeemSetupTokenDocument, SignInDocument, SignOutDocument, ViewerDocument } from "$lib/api";
import type { ViewerQuery } from "$lib/api";
import { onRefusal, resetClient } from "$lib/api/client";
import { resetStreams } from "$lib/api/stream";
import { readToken, takeLinkFromAddress, TOKEN, writeToken, type Link } from "$lib/api/token";
import { t } from "$lib/messages.svelte";
import { sessions } from "./sessions.svelte";
import { uploads } from "./uploads.svelte";

export type Viewer = ViewerQuery["viewer"]["user"];

class Account {
  /** `asking` until the server has answered; `out` if it wants a sign-in. */
  state = $state<"asking" | "in" | "out" | "unreachable">("asking");
  viewer = $state.raw<Viewer | null>(null);
  /** Why the sign-in is shown. */
  problem = $state("");
  /** Whether the server does not answer at all; or else it has a problem of its own. */
  unreachable = $state(false);
  /** A link that was followed while somebody is signed in: it waits for their decision. */
  link = $state.raw<Link | null>(null);
  /** Whether a link let somebody in who may want to set a password now. */
  invited = $state(false);
  #lastId: string | null = null;

  constructor() {
    onRefusal((problem) => this.#refused(problem));
    // A link that is pasted into the address of the open page does not load it again.
    addEventListener("hashchange", () => void this.#followAddress());
    // Another tab has signed in or out, and this one does the same.
    addEventListener("storage", ({ key, newValue }) => {
      if (key !== TOKEN || (newValue === null && this.state === "out")) return;
      resetClient();
      resetStreams();
      void this.#ask();
    });
  }

  /** Follow the link in the address, if there is one, and find out who is signed in. */
  async start(): Promise<void> {
    if (!(await this.#followAddress())) await this.#ask();
  }

  /** Whether this is who is signed in. */
  isViewer(user: { id: string } | undefined): boolean {
    return user !== undefined && user.id === this.viewer?.id;
  }

  /** Find out again who is signed in. */
  async retry(): Promise<void> {
    await this.#ask();
  }

  /** Whether the address has a link that could be followed without a question. */
  async #followAddress(): Promise<boolean> {
    const link = takeLinkFromAddress();
    const followed = link !== null && (!readToken() || readToken() === link.token);
    if (followed) await this.followLink(link);
    else if (link) this.link = link;
    return followed;
  }

  /** Stay who one is, whoever made the link. */
  ignoreLink(): void {
    this.link = null;
  }

  async followLink(link: Link): Promise<void> {
    this.link = null;
    this.#use(null);
    try {
      if (link.setup !== null) {
        this.#use((await mutate(RedeemSetupTokenDocument, { token: link.setup })).token);
        this.invited = true;
      } else this.#use(link.token);
      await this.#ask();
    } catch (error) {
      this.problem = error instanceof Problem ? error.message : String(error);
      this.state = "out";
    }
  }

  /** Throws a Problem if the server does not accept them. */
  async signIn(email: string, password: string): Promise<void> {
    this.#use(null); // one that has ended would be refused
    this.#use((await mutate(SignInDocument, { email, password })).token);
    await this.#ask();
  }

  /** Change the password. That ends all sign-ins, so another begins. Throws a Problem. */
  async changePassword(currentPassword: string | null, newPassword: string): Promise<void> {
    const { user } = await mutate(ChangePasswordDocument, { input: { currentPassword, newPassword } });
    await this.signIn(user.email, newPassword);
    this.invited = false;
  }

  /** Go on with an access token. Throws a Problem if the server does not accept it. */
  async useToken(token: string): Promise<void> {
    this.#use(token.trim().replace(/^Bearer\s+/i, ""));
    await this.#ask();
    if (this.state === "out") throw new Problem(this.problem, "unauthenticated");
  }

  /**
   * End the sign-in, and forget all that the page shows: what comes next is somebody else's. Throws a Problem if the
   * server, which would still know it, cannot be reached.
   */
  async signOut(): Promise<void> {
    try {
      await mutate(SignOutDocument, {});
    } catch (error) {
      if (error instanceof Problem && error.kind === "unreachable") throw error; // one that has ended is only forgotten
    }
    writeToken(null);
    location.assign("/");
  }

  async #ask(): Promise<void> {
    try {
      const { user } = (await query(ViewerDocument, {}, "network-only")).viewer;
      this.#enter(user);
      this.state = "in";
      this.problem = "";
    } catch (error) {
      if (error instanceof Problem && error.kind === "unauthenticated") return;
      this.problem = error instanceof Problem ? error.message : String(error);
      this.unreachable = error instanceof Problem && error.kind === "unreachable";
      this.state = "unreachable";
    }
  }

  /** What is in memory of somebody else's is none of theirs. */
  #enter(user: NonNullable<Viewer>): void {
    if (this.#lastId !== null && this.#lastId !== user.id) {
      sessions.forget();
      uploads.forget();
    }
    this.#lastId = user.id;
    this.viewer = user;
  }

  #use(token: string | null): void {
    writeToken(token);
    resetClient();
    resetStreams();
  }

  #refused(problem: Problem): void {
    // Several requests can be refused at once: the first says why.
    if (this.state === "in") this.problem = readToken() ? t("signIn.ended") : "";
    else if (readToken()) this.problem = problem.message;
    this.#use(null);
    this.viewer = null;
    this.state = "out";
  }
}

export const account = new Account();
