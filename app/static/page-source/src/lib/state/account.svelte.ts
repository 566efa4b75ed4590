/** Who is signed in, and whether the server requires a sign-in. */
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
  /** `asking` until the server has responded; `out` if it requires a sign-in. */
  state = $state<"asking" | "in" | "out" | "unreachable">("asking");
  /** The signed-in user, or the one whose sign-in has ended: their views are kept until they sign in again. */
  viewer = $state.raw<Viewer | null>(null);
  /** Why the sign-in is shown. */
  problem = $state("");
  /** Why the server does not respond. */
  outage = $state.raw<Problem | null>(null);
  /** A link that has not been followed yet: it waits for the signed-in user's decision, or for the server. */
  link = $state.raw<Link | null>(null);
  /** Whether the user came by a setup link, and may want to set a password now. */
  invited = $state(false);
  #lastId: string | null = null;

  constructor() {
    onRefusal((problem) => this.#refused(problem));
    // A link pasted into the address bar of the open page does not reload it.
    addEventListener("hashchange", () => {
      this.#takeLink();
      void this.#followWaiting();
    });
    // A page restored from the back/forward cache may have missed a sign-in or sign-out.
    let left: string | null = null;
    addEventListener("pagehide", () => (left = readToken()));
    addEventListener("pageshow", ({ persisted }) => persisted && left !== readToken() && location.reload());
    // Another tab has signed in or out: follow it.
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

  /** Follow the link in the address, if there is one, and ask the server who is signed in. */
  async start(): Promise<void> {
    this.#takeLink();
    await this.retry();
  }

  /** Whether this is the signed-in user. */
  isViewer(user: { id: string } | undefined): boolean {
    return user !== undefined && user.id === this.viewer?.id;
  }

  /** Ask again who is signed in; if nobody is, follow the waiting link. */
  async retry(): Promise<void> {
    if (readToken() || !this.link) await this.#ask();
    await this.#followWaiting();
  }

  #takeLink(): void {
    const link = takeLinkFromAddress();
    if (link && (link.token === null || link.token !== readToken())) this.link = link;
  }

  /** Follow the waiting link, unless somebody is signed in: they are asked first. */
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
      this.state = "unreachable"; // the link is followed when the server is back
    } else {
      this.link = null;
      await this.#ask();
    }
    if (this.state === "in") toasts.fail(problem);
    else this.problem = problem.message;
  }

  /** Ignore the link, and stay signed in as the same user. */
  ignoreLink(): void {
    this.link = null;
  }

  /** Sign in as the user the link was made for. Throws a Problem if it cannot be followed; then nothing changes. */
  async followLink({ setup, token }: Link): Promise<void> {
    if (setup === null) return this.useToken(token ?? "");
    const redeemed = await mutate(RedeemSetupTokenDocument, { token: setup }, clientOf(null));
    this.invited = true;
    await this.#become(redeemed.token);
  }

  /** Sign in with a password. Throws a Problem if the server rejects it. */
  async signIn(email: string, password: string): Promise<void> {
    // Without a token: an expired one would be refused.
    await this.#become((await mutate(SignInDocument, { email, password }, clientOf(null))).token);
  }

  /** Change the password, and sign in again, because the change ends all sign-ins. Throws a Problem. */
  async changePassword(currentPassword: string | null, newPassword: string): Promise<void> {
    const { user } = await mutate(ChangePasswordDocument, { input: { currentPassword, newPassword } });
    await this.signIn(user.email, newPassword);
    this.invited = false;
  }

  /** Sign in with an access token. Throws a Problem if the server rejects it. */
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
   * End the sign-in, and drop everything that the page shows. Asks first if something is not saved. Throws a Problem if
   * the server, where the sign-in would stay valid, cannot be reached.
   */
  async signOut(): Promise<void> {
    if (!unsaved.mayLeave()) return;
    try {
      await mutate(SignOutDocument, {}, clientOf(readToken()));
    } catch (error) {
      if (error instanceof Problem && error.kind === "unreachable") throw error; // a sign-in that has already ended is only forgotten
    }
    writeToken(SIGNED_OUT);
    this.viewer = null; // browsers may keep the page for going back
    this.state = "out";
    await tick(); // the views are gone by then: the user is not asked again about what was not saved
    location.assign("/");
  }

  async #ask(): Promise<void> {
    const token = readToken();
    try {
      const { user } = (await query(ViewerDocument, {}, "network-only", clientOf(token))).viewer;
      if (token !== readToken()) return; // another tab has signed in or out in the meantime, and has caused another request
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

  /** Show this user, and drop everything in memory that belongs to another. */
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
    // Several requests may be refused at once: keep the reason of the first.
    if (this.state === "in") this.problem = readToken() ? t("signIn.ended") : "";
    else if (readToken()) this.problem = problem.message;
    writeToken(null);
    resetStreams();
    this.state = "out";
  }
}

export const account = new Account();
