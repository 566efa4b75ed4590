// Writes MANIFEST.json next to the built files: the hash of every source and every built file. A test compares them
// with both folders, so that neither is committed without the other.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const ROOT = import.meta.dirname;
const SKIPPED = new Set(["node_modules", "generated", "README.md", ".gitignore", ".npmrc"]);

export function manifest() {
  return {
    name: "write-manifest",
    apply: "build",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const built = Object.values(bundle).map((file) => [file.fileName, hash(file.type === "chunk" ? file.code : file.source)]);
        const sources = filesIn(ROOT).map((path) => [relative(ROOT, path).replaceAll("\\", "/"), hash(readFileSync(path))]);
        const source = JSON.stringify({ sources: sorted(sources), built: sorted(built) }, null, 1) + "\n";
        this.emitFile({ type: "asset", fileName: "MANIFEST.json", source });
      },
    },
  };
}

function filesIn(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !SKIPPED.has(name));
  return entries.flatMap((entry) => (entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)]));
}

function hash(content) {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}

function sorted(entries) {
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
