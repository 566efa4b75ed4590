/** The theme: light, dark, or the same as the system. */
import { shared } from "$lib/storage";

export type Theme = "system" | "light" | "dark";
const CHOSEN = "footnote:theme";
const THEMES: readonly Theme[] = ["system", "light", "dark"];

class ThemeState {
  chosen = $state<Theme>(THEMES.find((theme) => theme === shared.read(CHOSEN)) ?? "system");

  choose(theme: Theme): void {
    this.chosen = theme;
    shared.write(CHOSEN, theme);
    this.show();
  }

  show(): void {
    if (this.chosen === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = this.chosen;
  }
}

export const theme = new ThemeState();
