/** Which parts of a scrolled view are near the visible part: only those are worth drawing. */
const MARGIN = "100% 0px"; // a screen before and a screen after

export class Nearness {
  readonly #listeners = new WeakMap<Element, (near: boolean) => void>();
  readonly #observer: IntersectionObserver;

  constructor(root: HTMLElement) {
    this.#observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) this.#listeners.get(target)?.(isIntersecting);
      },
      { root, rootMargin: MARGIN },
    );
  }

  /** Call `listener` now and whenever the element comes near or goes. Returns what ends it. */
  watch(element: HTMLElement, listener: (near: boolean) => void): () => void {
    this.#listeners.set(element, listener);
    this.#observer.observe(element);
    return () => this.#observer.unobserve(element);
  }

  close(): void {
    this.#observer.disconnect();
  }
}
