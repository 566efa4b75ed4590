// Monaco's background workers as files of our own origin, so that `worker-src 'self'` is enough.
import EditorWorker from "monaco-editor/esm/vs/editor/editor.worker.js?worker";
import JsonWorker from "monaco-editor/esm/vs/language/json/json.worker.js?worker";
import GraphQLWorker from "monaco-graphql/esm/graphql.worker.js?worker";

const WORKERS = { json: JsonWorker, graphql: GraphQLWorker };

globalThis.MonacoEnvironment = {
  getWorker: (_id, label) => new (WORKERS[label] ?? EditorWorker)(),
};
