/** Finds the parts of a scrolled view that are near the visible part: only those are rendered in full. */
const MARGIN = "100% 0px"; // one screen before and after

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

  /** Call `listener` now and whenever the element becomes near or far. Returns a function that stops this. */
  watch(element: HTMLElement, listener: (near: boolean) => void): () => void {
    this.#listeners.set(element, listener);
    this.#observer.observe(element);
    return () => this.#observer.unobserve(element);
  }

  close(): void {
    this.#observer.disconnect();
  }
}
