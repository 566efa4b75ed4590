// Out: the tabs a new visitor finds, in file order: an operation and, where it has any, its variables (JSON with comments).
const queries = import.meta.glob("../operations/*.graphql", { query: "?raw", import: "default", eager: true });
const variables = import.meta.glob("../operations/*.jsonc", { query: "?raw", import: "default", eager: true });

export const tabs = Object.keys(queries)
  .sort()
  .map((path) => ({
    query: queries[path].trimEnd(),
    variables: variables[path.replace(/\.graphql$/, ".jsonc")]?.trimEnd() ?? "",
  }));
