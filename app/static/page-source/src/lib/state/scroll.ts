/** Scroll positions of views, restored after a reload and on going back. */
import { keep, kept } from "./entry";

const TOP = "top";
const WAIT_MS = 100; // after the last scroll event: browsers limit how often history entries may change
const HANDS = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

let scroller: HTMLElement | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Keep the scroll position of this element, which contains all views. Returns a function that stops this. */
export function keepScroll(element: HTMLElement): () => void {
  const over = new AbortController();
  scroller = element;
  element.addEventListener("scroll", noteSoon, { signal: over.signal, passive: true });
  return () => {
    over.abort();
    clearTimeout(timer);
    scroller = null;
  };
}

/** Store the scroll position now, before another place or view is shown. */
export function noteScroll(): void {
  clearTimeout(timer);
  if (scroller) keep(TOP, scroller.scrollTop);
}

/** Drop a pending scroll position: it belongs to the history entry before. */
export function forgetScroll(): void {
  clearTimeout(timer);
}

/** The stored scroll position of this view; undefined on the first visit. */
export function keptScroll(): number | undefined {
  return kept<number>(TOP);
}

/** Restore the scroll position of another history entry of the same view. */
export function returnToScroll(): void {
  const top = keptScroll();
  if (top !== undefined) scroller?.scrollTo(0, top);
}

/**
 * Scroll to the stored position, to the place that the address names, or else to the beginning. The content may
 * still grow: repeats until it is high enough, or until the user scrolls. Returns a function that stops this.
 */
export function showPlace(content: Element, top: number | undefined): () => void {
  const over = new AbortController();
  const place = top === undefined ? placeInAddress() : null;
  const observer = new ResizeObserver(() => {
    if (place) place.scrollIntoView();
    else scroller?.scrollTo(0, top ?? 0);
    if (!scroller || place || Math.abs(scroller.scrollTop - (top ?? 0)) <= 1) end();
  });
  const end = (): void => {
    observer.disconnect();
    over.abort();
  };
  for (const hand of HANDS) addEventListener(hand, end, { signal: over.signal, passive: true });
  observer.observe(content);
  return end;
}

function placeInAddress(): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(location.hash.slice(1)));
  } catch {
    return null; // an invalid fragment names no place
  }
}

function noteSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(noteScroll, WAIT_MS);
}
