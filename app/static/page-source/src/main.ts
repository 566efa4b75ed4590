import "./styles/tokens.css";
import "./styles/base.css";

import { mount } from "svelte";

import { loadLanguage } from "$lib/messages.svelte";
import { account } from "$lib/state/account.svelte";
import { removeUnownedDrafts } from "$lib/state/drafts";
import { theme } from "$lib/state/theme.svelte";
import App from "./App.svelte";

theme.show();
removeUnownedDrafts();
void account.start();
await loadLanguage();
mount(App, { target: document.getElementById("page")! });
