// In: the page's empty <div>. Out: GraphiQL on our own endpoint, with ready operations in tabs.
import "./workers.js";
import "@graphiql/react/style.css";
import "@graphiql/plugin-doc-explorer/style.css";
import "@graphiql/plugin-history/style.css";
import "graphiql/graphiql.css";
import "./style.css";

import { pick, useGraphiQL } from "@graphiql/react";
import { GraphiQL } from "graphiql";
import { useEffect } from "react";
import { createRoot } from "react-dom/client";

import { enterByAddress } from "./account.js";
import { fetcher } from "./fetcher.js";
import { fillIds } from "./ids.js";
import { Account, AccountForm, SchemaOfAccount } from "./sign-in.jsx";
import { storage } from "./storage.js";
import { tabs } from "./tabs.js";

// GraphiQL opens its first tab without that tab's variables unless it finds them here.
if (storage.getItem("graphiql:tabState") === null) {
  storage.setItem("graphiql:query", tabs[0].query);
  storage.setItem("graphiql:variables", tabs[0].variables);
}

/** Puts ids from earlier results into the variables of the tab that is opened. */
function FilledIds() {
  const { tabs, activeTabIndex, variableEditor } = useGraphiQL(pick("tabs", "activeTabIndex", "variableEditor"));
  const tab = tabs[activeTabIndex].id;
  useEffect(() => {
    if (!variableEditor) return;
    const before = variableEditor.getValue();
    const after = fillIds(tab, before);
    if (after !== before) variableEditor.setValue(after);
  }, [tab, variableEditor]);
  return null;
}

function Page() {
  return (
    <>
      <GraphiQL
        fetcher={fetcher}
        storage={storage}
        defaultTabs={tabs}
        defaultEditorToolsVisibility="variables"
        shouldPersistHeaders={false}
      >
        <GraphiQL.Logo>
          <Account />
          <span className="footnote-logo">
            Footnote<sup>1</sup>
          </span>
        </GraphiQL.Logo>
        <FilledIds />
        <SchemaOfAccount />
      </GraphiQL>
      <AccountForm />
    </>
  );
}

addEventListener("hashchange", enterByAddress);
// The page asks for the schema at once: by then it is known who asks.
enterByAddress().then(() => createRoot(document.getElementById("playground")).render(<Page />));
