// Out: localStorage under a name of our own. Other GraphiQLs on the same localhost port keep their tabs, and we ours.
import { createLocalStorage } from "@graphiql/toolkit";

export const storage = createLocalStorage({ namespace: "footnote-playground" });
