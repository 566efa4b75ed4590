/** The page's texts: one message file per language, looked up by key. */
import en from "../messages/en.json";
import { shared } from "./storage";

export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;
export type MessageKey = keyof typeof en;
/** Keys of texts with two plural forms, `…_one` and `…_other`. */
export type CountedKey = { [K in MessageKey]: K extends `${infer Base}_other` ? Base : never }[MessageKey];
type Values = Record<string, string | number>;
type Catalog = Record<MessageKey, string>;
type Pattern = { pattern: RegExp; text: string };

const CHOSEN = "footnote:language";
const loaders: Record<Language, () => Promise<Catalog>> = {
  en: async () => en,
  de: async () => (await import("../messages/de.json")).default,
};
/** Translations of the server's English messages. */
const serverLoaders: Record<Language, () => Promise<Record<string, string>>> = {
  en: async () => ({}),
  de: async () => (await import("../messages/server/de.json")).default,
};

class Texts {
  language = $state<Language>("en");
  catalog = $state.raw<Catalog>(en);
  serverCatalog = $state.raw<Record<string, string>>({});
  refusals = $derived(patternsOf(this.serverCatalog, "refusal."));
  remarks = $derived(patternsOf(this.serverCatalog, "remark."));
  details = $derived(patternsOf(this.serverCatalog, "health."));
  /** The plural forms of counts, and the formats of numbers, dates and sizes in this language. */
  plural = $derived(new Intl.PluralRules(this.language));
  number = $derived(new Intl.NumberFormat(this.language));
  percent = $derived(new Intl.NumberFormat(this.language, { style: "percent", maximumFractionDigits: 0 }));
  date = $derived(new Intl.DateTimeFormat(this.language, { dateStyle: "medium", timeStyle: "short" }));
  day = $derived(new Intl.DateTimeFormat(this.language, { dateStyle: "medium" }));
}

export const texts = new Texts();

/** The text of a key, with `{name}` replaced by values. */
export function t(key: MessageKey, values?: Values): string {
  return fill(texts.catalog[key], values);
}

/** The text of a key in the plural form for `count`. */
export function tn(key: CountedKey, count: number, values?: Values): string {
  const form = texts.plural.select(count) === "one" ? "one" : "other";
  return fill(texts.catalog[`${key}_${form}` as MessageKey], { ...values, count: texts.number.format(count) });
}

/** A message of the server in the page's language, or in English if there is no translation for its code. A translation may quote it as `{detail}`. */
export function translate(code: string, message: string, values?: Values): string {
  const text = texts.serverCatalog[code];
  return text === undefined ? message : fill(text, { detail: message, ...values });
}

/** A notice about an answer in the page's language: the translation of its message, or else that of its code. */
export function translateNotice(code: string, message: string): string {
  return translateBy(texts.remarks, message) ?? translate(`notice.${code}`, message);
}

/** Why the server refuses something, in the page's language; null if there is no translation. A value `{count}` is a number. */
export function translateRefusal(message: string): string | null {
  return translateBy(texts.refusals, message);
}

/** The detail of a component's status in the page's language, or the English one, marked as such, if there is no translation. */
export function translateDetail(message: string): string {
  return translateBy(texts.details, message) ?? t("health.detail", { detail: message });
}

function translateBy(patterns: Pattern[], message: string): string | null {
  for (const { pattern, text } of patterns) {
    const found = pattern.exec(message);
    if (found === null) continue;
    const values = found.groups ?? {};
    const count = Number(values["count"]?.replaceAll(",", ""));
    return fill(text, Number.isNaN(count) ? values : { ...values, count: texts.number.format(count) });
  }
  return null;
}

/** Patterns of the server's messages: in a key of the catalog, `{name}` stands for any text. */
function patternsOf(catalog: Record<string, string>, beginning: string): Pattern[] {
  const found = Object.entries(catalog).filter(([key]) => key.startsWith(beginning));
  return found.map(([key, text]) => {
    const written = key.slice(beginning.length).replace(/[.*+?^$()|[\]\\]/g, "\\$&");
    return { pattern: new RegExp(`^${written.replace(/\{(\w+)\}/g, "(?<$1>.*)")}$`, "s"), text };
  });
}

function fill(text: string, values: Values | undefined): string {
  return values ? text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole)) : text;
}

/** Switch to this language, also for the next visit. */
export async function chooseLanguage(language: Language): Promise<void> {
  shared.write(CHOSEN, language);
  await show(language);
}

/** Use the chosen language, or the first available one of the browser's; English if its texts cannot be loaded. */
export async function loadLanguage(): Promise<void> {
  const tags = [shared.read(CHOSEN), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  const language = tags.find((tag): tag is Language => tag !== null && Object.hasOwn(LANGUAGES, tag)) ?? "en";
  await show(language).catch(() => undefined);
}

let wanted: Language = "en";

async function show(language: Language): Promise<void> {
  wanted = language;
  const catalogs = await Promise.all([loaders[language](), serverLoaders[language]()]);
  if (language !== wanted) return; // another was chosen while this was loading
  [texts.catalog, texts.serverCatalog] = catalogs;
  texts.language = language;
  document.documentElement.lang = language;
}
