/** Who is signed in, and whether the server wants to know. */
import { tick } from "svelte";

import { asProblem, ChangePasswordDocument, mutate, Problem, query, RedeemSetupTokenDocument, SignInDocument, SignOutDocument, ViewerDocument } from "$lib/api";
import type { ViewerQuery } from "$lib/api";
import { clientOf, onRefusal, resetClient, resumeRequests } from "$lib/api/client";
import { resetStreams } from "$lib/api/stream";
import { isToken, readToken, SIGNED_OUT, takeLinkFromAddress, TOKEN, writeToken, type Link } from "$lib/api/token";
import { t } from "$lib/messages.svelte";
import { sessions } from "./sessions.svelte";
import { toasts } from "./toasts.svelte";
import { underWay } from "./under-way";
import { unsaved } from "./unsaved.svelte";
import { uploads } from "./uploads.svelte";

export type Viewer = ViewerQuery["viewer"]["user"];

class Account {
  /** `asking` until the server has answered; `out` if it wants a sign-in. */
  state = $state<"asking" | "in" | "out" | "unreachable">("asking");
  /** Who is signed in, or was until the sign-in ended: what they were doing waits for them. */
  viewer = $state.raw<Viewer | null>(null);
  /** Why the sign-in is shown. */
  problem = $state("");
  /** Why the server does not say who is signed in. */
  outage = $state.raw<Problem | null>(null);
  /** A link that was not followed yet: it waits for the decision of who is signed in, or for the server. */
  link = $state.raw<Link | null>(null);
  /** Whether a link let somebody in who may want to set a password now. */
  invited = $state(false);
  #lastId: string | null = null;

  constructor() {
    onRefusal((problem) => this.#refused(problem));
    // A link that is pasted into the address of the open page does not load it again.
    addEventListener("hashchange", () => {
      this.#takeLink();
      void this.#followWaiting();
    });
    // Nobody has told a page that the browser kept, and that somebody comes back to, who is signed in now.
    let left: string | null = null;
    addEventListener("pagehide", () => (left = readToken()));
    addEventListener("pageshow", ({ persisted }) => persisted && left !== readToken() && location.reload());
    // Another tab has signed in or out, and this one does the same.
    addEventListener("storage", ({ key, newValue }) => {
      if (key !== TOKEN) return;
      if (newValue === null && this.state === "out") return;
      if (newValue === SIGNED_OUT) {
        this.viewer = null;
        resetClient();
      }
      resetStreams();
      void this.#ask();
    });
  }

  /** Follow the link in the address, if there is one, and find out who is signed in. */
  async start(): Promise<void> {
    this.#takeLink();
    await this.retry();
  }

  /** Whether this is who is signed in. */
  isViewer(user: { id: string } | undefined): boolean {
    return user !== undefined && user.id === this.viewer?.id;
  }

  /** Find out again who is signed in; whoever is not follows the link that waits. */
  async retry(): Promise<void> {
    if (readToken() || !this.link) await this.#ask();
    await this.#followWaiting();
  }

  #takeLink(): void {
    const link = takeLinkFromAddress();
    if (link && (link.token === null || link.token !== readToken())) this.link = link;
  }

  /** Follow the link that waits, unless somebody is signed in, who is asked. */
  async #followWaiting(): Promise<void> {
    if (!this.link || readToken()) return;
    try {
      await this.followLink(this.link);
    } catch (error) {
      await this.#showRefusedLink(asProblem(error));
    }
  }

  async #showRefusedLink(problem: Problem): Promise<void> {
    if (problem.kind === "unreachable") {
      this.outage = problem;
      this.state = "unreachable"; // it is followed when the server is back
    } else {
      this.link = null;
      await this.#ask();
    }
    if (this.state === "in") toasts.fail(problem);
    else this.problem = problem.message;
  }

  /** Stay who one is, whoever made the link. */
  ignoreLink(): void {
    this.link = null;
  }

  /** Become who the link was made for. Throws a Problem if it cannot be followed; then everybody stays who they are. */
  async followLink({ setup, token }: Link): Promise<void> {
    if (setup === null) return this.useToken(token ?? "");
    const redeemed = await mutate(RedeemSetupTokenDocument, { token: setup }, clientOf(null));
    this.invited = true;
    await this.#become(redeemed.token);
  }

  /** Throws a Problem if the server does not accept them. */
  async signIn(email: string, password: string): Promise<void> {
    // A token that has ended would be refused.
    await this.#become((await mutate(SignInDocument, { email, password }, clientOf(null))).token);
  }

  /** Change the password. That ends all sign-ins, so another begins. Throws a Problem. */
  async changePassword(currentPassword: string | null, newPassword: string): Promise<void> {
    const { user } = await mutate(ChangePasswordDocument, { input: { currentPassword, newPassword } });
    await this.signIn(user.email, newPassword);
    this.invited = false;
  }

  /** Go on with an access token. Throws a Problem if the server does not accept it. */
  async useToken(written: string): Promise<void> {
    const token = written.trim().replace(/^Bearer\s+/i, "");
    if (!isToken(token)) throw new Problem(t("signIn.notToken"), "unauthenticated");
    await query(ViewerDocument, {}, "network-only", clientOf(token));
    await this.#become(token);
  }

  async #become(token: string): Promise<void> {
    this.link = null;
    writeToken(token);
    resetStreams();
    await this.#ask();
  }

  /**
   * End the sign-in, and forget all that the page shows: what comes next is somebody else's. Throws a Problem if the
   * server, which would still know it, cannot be reached.
   */
  async signOut(): Promise<void> {
    if (!unsaved.mayLeave()) return;
    try {
      await mutate(SignOutDocument, {}, clientOf(readToken()));
    } catch (error) {
      if (error instanceof Problem && error.kind === "unreachable") throw error; // one that has ended is only forgotten
    }
    writeToken(SIGNED_OUT);
    this.viewer = null; // browsers keep the page as it is, for whoever goes back
    this.state = "out";
    await tick(); // what was written went with the views: it is not asked about again
    location.assign("/");
  }

  async #ask(): Promise<void> {
    const token = readToken();
    try {
      const { user } = (await query(ViewerDocument, {}, "network-only", clientOf(token))).viewer;
      if (token !== readToken()) return; // another tab has signed in or out meanwhile: that is asked about, too
      this.#enter(user);
      this.state = "in";
      this.problem = "";
      resumeRequests();
    } catch (error) {
      if (error instanceof Problem && error.kind === "unauthenticated") {
        if (token === readToken()) this.#refused(error);
        return;
      }
      this.outage = asProblem(error);
      this.problem = this.outage.message;
      this.state = "unreachable";
    }
  }

  /** What is in memory of somebody else's is none of theirs. */
  #enter(user: NonNullable<Viewer>): void {
    if (this.#lastId !== null && this.#lastId !== user.id) {
      resetClient();
      sessions.forget();
      uploads.forget();
      underWay.clear();
    }
    this.#lastId = user.id;
    this.viewer = user;
  }

  #refused(problem: Problem): void {
    // Several requests can be refused at once: the first says why.
    if (this.state === "in") this.problem = readToken() ? t("signIn.ended") : "";
    else if (readToken()) this.problem = problem.message;
    writeToken(null);
    resetStreams();
    this.state = "out";
  }
}

export const account = new Account();
