/** Keep views current that show what others may change or delete. */
import { onOutdated } from "$lib/api/client";

/** Call it while a view initializes: `read` is called when its content may be outdated, and when the tab becomes visible again. */
export function keepCurrent(read: () => void): void {
  $effect(() => {
    const stop = onOutdated(read);
    const look = (): void => void (document.hidden || read());
    document.addEventListener("visibilitychange", look);
    return () => {
      stop();
      document.removeEventListener("visibilitychange", look);
    };
  });
}
