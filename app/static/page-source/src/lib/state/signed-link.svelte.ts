/** A signed link: a URL that needs no credential for a few minutes. It is renewed before it expires. */
import { asProblem, type Problem } from "$lib/api";

export interface SignedUrl {
  href: string;
  validUntil: string;
}

const EARLY_MS = 60_000; // before it expires; also the shortest time between two renewals

export class SignedLink {
  href = $state.raw<string | null>(null);
  problem = $state.raw<Problem | null>(null);

  /** Create it while a component initializes. `read` may read state, and is called again when that changes. */
  constructor(read: () => Promise<SignedUrl | null>) {
    $effect(() => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      let renewAt = Infinity;
      let current = true;
      const show = (reading: Promise<SignedUrl | null>) =>
        reading.then(
          (link) => {
            if (!current) return;
            this.href = link?.href ?? null;
            this.problem = null;
            if (link) renewAfter(new Date(link.validUntil).getTime() - Date.now() - EARLY_MS);
          },
          (error: unknown) => {
            if (!current) return;
            this.problem = asProblem(error);
            renewAfter(EARLY_MS);
          },
        );
      function renewAfter(ms: number): void {
        const wait = Math.max(ms, EARLY_MS);
        renewAt = Date.now() + wait;
        timer = setTimeout(renew, wait);
      }
      function renew(): void {
        clearTimeout(timer);
        renewAt = Infinity;
        void show(read());
      }
      /** Timers stop while the machine sleeps. */
      const look = (): void => void (document.hidden || Date.now() < renewAt || renew());
      document.addEventListener("visibilitychange", look);
      this.href = null;
      void show(read());
      return () => {
        current = false;
        clearTimeout(timer);
        document.removeEventListener("visibilitychange", look);
      };
    });
  }
}
