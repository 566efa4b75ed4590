/** Views that show what others can delete, change or take away meanwhile. */
import { onOutdated } from "$lib/api/client";

/** Call it while a view starts: `read` is called when what it shows may be outdated, and when somebody looks at it again. */
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
