// Builds the playground into ../playground, which the server serves at /static/playground/.
import { defineConfig } from "vite";

import { licenses } from "./licenses.js";

const { page, worker } = licenses();

export default defineConfig({
  base: "/static/playground/",
  plugins: [page],
  worker: { format: "es", plugins: () => [worker] },
  build: {
    outDir: "../playground",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 4000,
    rolldownOptions: {
      // "use client" in React packages means nothing here.
      checks: { moduleLevelDirective: false },
      output: {
        // Our own code apart from the packages: a change of ours renames one small file, not three megabytes.
        codeSplitting: { groups: [{ name: "packages", test: /node_modules/, entriesAware: true }] },
        chunkFileNames: ({ name }) => `assets/${short(name)}-[hash].js`,
        assetFileNames: ({ names }) => `assets/${short(names[0])}-[hash][extname]`,
      },
    },
  },
});

/** A chunk is named after all who share it; the first is enough to recognise it. */
function short(name) {
  return name.replace(/\.[^.]+$/, "").split("~").slice(0, 2).join("-");
}
