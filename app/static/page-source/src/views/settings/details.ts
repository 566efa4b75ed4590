/** A project's own settings as the form edits them. */
import type { ProjectDetailsFragment, UpdateProjectInput } from "$lib/api";
import { isSame } from "./options";

/** The server's default texts, used where a project has none of its own. tests/page/views/test_settings.py compares them with the server. */
export const DEFAULT_TEXTS = {
  noSourcesText: "No relevant information was found in the knowledge base.",
  rejectedText: "The answer could not be supported by the knowledge base.",
} as const;
type TextName = keyof typeof DEFAULT_TEXTS;

export interface Details {
  name: string;
  description: string | null;
  localProvidersOnly: boolean;
  /** Empty if the default applies. A default in the field would be saved as the project's own text, in English only. */
  noSourcesText: string;
  rejectedText: string;
}

export function detailsOf(project: ProjectDetailsFragment): Details {
  const { name, description, localProvidersOnly } = project;
  const ownText = (field: TextName): string => (project[field] === DEFAULT_TEXTS[field] ? "" : project[field]);
  return { name, description, localProvidersOnly, noSourcesText: ownText("noSourcesText"), rejectedText: ownText("rejectedText") };
}

/** The changed fields. Only these are sent, so that changes by other users in the meantime are kept. */
export function detailChangesOf(before: Details, now: Details): Partial<UpdateProjectInput> {
  const changed = (Object.keys(now) as (keyof Details)[]).filter((name) => !isSame(now[name], before[name]));
  return Object.fromEntries(changed.map((name) => [name, name in DEFAULT_TEXTS ? now[name] || null : now[name]]));
}

/** The form after the server's values have changed: edited fields stay as they are, the others take the new values. */
export function followed<T extends object>(edited: T, before: T, now: T): T {
  const entries = (Object.keys(now) as (keyof T)[]).map((name) => [name, isSame(edited[name], before[name]) ? now[name] : edited[name]]);
  return Object.fromEntries(entries) as T;
}
