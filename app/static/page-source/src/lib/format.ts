/** Values as texts in the page's language. */
import { t, texts, translate } from "./messages.svelte";

/** Characters that change the text direction: in a name, they can make the rest look like something else. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;
const DAY_MS = 86_400_000;

/** Headings that the server adds to those of a document, in English: a fixed word and a number or name. */
const PLACES = [
  /^((?:row|line|record|cell)s?|Slide) (\d+(?:\u2013\d+)?)(?=:|$)/,
  /^(Sheet|Attachment) “(.+)”$/,
  /^(Other attachments|Other files)$/,
];

/** Where in a document a passage is: its page and headings. */
export function placeOf(page: number | null, heading: readonly string[]): string {
  const parts = heading.filter(Boolean).map((part) => PLACES.reduce(translatePlace, part));
  return [page === null ? "" : t("source.page", { page }), ...parts].filter(Boolean).join(" › ");
}

function translatePlace(heading: string, place: RegExp): string {
  return heading.replace(place, (whole, words: string, name: string | number) => translate(`place.${words}`, whole, { name }));
}

/** A name without characters that change the text direction, so that it is read as it is written. */
export function plainName(name: string): string {
  return name.replace(TURNING, "");
}

export function bytes(count: number): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
  const power = Math.min(Math.floor(Math.log10(Math.max(count, 1)) / 3), units.length - 1);
  const format = new Intl.NumberFormat(texts.language, {
    style: "unit", unit: units[power], unitDisplay: power ? "short" : "long", maximumFractionDigits: power ? 1 : 0,
  });
  return format.format(count / 1000 ** power);
}

export function seconds(ms: number): string {
  const format = new Intl.NumberFormat(texts.language, { style: "unit", unit: "second", unitDisplay: "short", maximumFractionDigits: 1 });
  return format.format(ms / 1000);
}

/** A time to wait, in whole seconds, minutes or hours. */
export function duration(ms: number): string {
  const [unit, size] = ms < 90_000 ? (["second", 1_000] as const) : ms < 5_400_000 ? (["minute", 60_000] as const) : (["hour", 3_600_000] as const);
  return new Intl.NumberFormat(texts.language, { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 0 }).format(Math.ceil(ms / size));
}

/** "today", "yesterday", "last week"…: headings of lists by time. */
export function ageOf(iso: string, now: Date = new Date()): "today" | "yesterday" | "week" | "month" | "older" {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const at = new Date(iso).getTime();
  if (at >= midnight) return "today";
  if (at >= midnight - DAY_MS) return "yesterday";
  if (at >= midnight - 7 * DAY_MS) return "week";
  return at >= midnight - 30 * DAY_MS ? "month" : "older";
}
