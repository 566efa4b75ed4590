/** The page's texts: one message file per language, looked up by key. */
import en from "../messages/en.json";

export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;
export type MessageKey = keyof typeof en;
/** Keys of texts that come in two forms, `…_one` and `…_other`. */
export type CountedKey = { [K in MessageKey]: K extends `${infer Base}_other` ? Base : never }[MessageKey];
type Values = Record<string, string | number>;
type Catalog = Record<MessageKey, string>;

const CHOSEN = "footnote:language";
const loaders: Record<Language, () => Promise<Catalog>> = {
  en: async () => en,
  de: async () => (await import("../messages/de.json")).default,
};
/** What the server says in English, in other languages, by its codes. */
const serverLoaders: Record<Language, () => Promise<Record<string, string>>> = {
  en: async () => ({}),
  de: async () => (await import("../messages/server/de.json")).default,
};

class Texts {
  language = $state<Language>("en");
  catalog = $state.raw<Catalog>(en);
  serverCatalog = $state.raw<Record<string, string>>({});
  /** The form that a count takes, and numbers, dates and sizes as this language writes them. */
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

/** The text of a key in the form that `count` takes. */
export function tn(key: CountedKey, count: number, values?: Values): string {
  const form = texts.plural.select(count) === "one" ? "one" : "other";
  return fill(texts.catalog[`${key}_${form}` as MessageKey], { ...values, count: texts.number.format(count) });
}

/** A message of the server in the page's language; as the server wrote it, in English, if there is no text for its code. */
export function translate(code: string, message: string, values?: Values): string {
  const text = texts.serverCatalog[code];
  return text === undefined ? message : fill(text, values);
}

function fill(text: string, values: Values | undefined): string {
  return values ? text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole)) : text;
}

/** Use this language, and the next time, too. */
export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(CHOSEN, language);
  await show(language);
}

/** Use the language that was chosen, or the first of the browser's that there is; English while its texts cannot be loaded. */
export async function loadLanguage(): Promise<void> {
  const wanted = [localStorage.getItem(CHOSEN), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  const language = wanted.find((tag): tag is Language => tag !== null && tag in LANGUAGES) ?? "en";
  await show(language).catch(() => undefined);
}

async function show(language: Language): Promise<void> {
  [texts.catalog, texts.serverCatalog] = await Promise.all([loaders[language](), serverLoaders[language]()]);
  texts.language = language;
  document.documentElement.lang = language;
}
