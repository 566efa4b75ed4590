// Builds the page into ../page, which the server serves at /static/page/, with its index.html at /.
import { fileURLToPath } from "node:url";

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

import { licenses } from "./licenses.js";
import { manifest } from "./manifest.js";
import { pdfData } from "./pdf-data.js";

const from = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const collected = licenses();

export default defineConfig(({ command }) => ({
  base: command === "build" ? "/static/page/" : "/",
  plugins: [svelte(), collected.page, pdfData(), manifest()],
  resolve: { alias: { $lib: from("./src/lib"), $views: from("./src/views") } },
  worker: { format: "es", plugins: () => [collected.worker] },
  // `npm run dev` beside a running `footnote serve`.
  server: { proxy: { "/graphql": { target: "http://127.0.0.1:8000", ws: true }, "/documents": "http://127.0.0.1:8000" } },
  build: {
    outDir: process.env.PAGE_OUT ?? "../page",
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: 0, // `data:` URLs would need exceptions in the Content-Security-Policy
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      output: {
        // Packages apart from our own code, so that a change of ours renames only small files.
        codeSplitting: { groups: [{ name: "packages", test: /node_modules/, entriesAware: true }] },
        chunkFileNames: ({ name }) => `assets/${short(name)}-[hash].js`,
        assetFileNames: ({ names }) => `assets/${short(names[0] ?? "file")}-[hash][extname]`,
      },
    },
  },
}));

/** The short name of a chunk, which is otherwise named after all modules that share it. */
function short(name: string): string {
  return name.replace(/\.[^.]+$/, "").split("~").slice(0, 2).join("-");
}
