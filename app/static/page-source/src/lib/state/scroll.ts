/** Where a view was scrolled to: whoever comes back to it, or loads it again, goes on there. */
import { keep, kept } from "./entry";

const TOP = "top";
const WAIT_MS = 100; // after it was last scrolled: browsers refuse to keep too much at once
const HANDS = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

let scroller: HTMLElement | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Keep where this element is scrolled to, which holds all views. Returns what ends that. */
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

/** Keep where it is scrolled to now: another place or view comes next. */
export function noteScroll(): void {
  clearTimeout(timer);
  if (scroller) keep(TOP, scroller.scrollTop);
}

/** Another entry of the history is shown: what was scrolled before says nothing about it. */
export function forgetScroll(): void {
  clearTimeout(timer);
}

/** Where this view was left; undefined if it is seen for the first time. */
export function keptScroll(): number | undefined {
  return kept<number>(TOP);
}

/** Another place of the same view is shown: go to where it was left. */
export function returnToScroll(): void {
  const top = keptScroll();
  if (top !== undefined) scroller?.scrollTo(0, top);
}

/**
 * Show the place where a view was left, or the one that the address names, or else its beginning. What is shown may
 * still grow: until it is high enough, or somebody scrolls. Returns what ends that.
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
    return null; // no address that anything is at
  }
}

function noteSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(noteScroll, WAIT_MS);
}
