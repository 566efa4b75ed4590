// Lists every package that is bundled, with its licence, in LICENSES.txt.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const HEAD = `The page (the files in assets/) contains the packages listed here, each under its own licence.
The code that loads its parts comes from Vite and Rolldown (both MIT).
`;
const NO_FILE = "(The package has no licence file, only the name of its licence.)";
const RULE = "=".repeat(100);

/** Two plugins that share one list: workers are bundled separately, and before the page is written. */
export function licenses() {
  const folders = new Set();
  const collect = {
    name: "collect-licences",
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        for (const id of chunk.moduleIds ?? []) {
          const folder = /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id.replaceAll("\\", "/"))?.[0];
          if (folder && !folder.includes("\0")) folders.add(folder);
        }
      }
    },
  };
  const write = {
    name: "write-licences",
    generateBundle(options, bundle) {
      collect.generateBundle(options, bundle);
      const entries = [...new Set([...folders].map(describe))].sort();
      this.emitFile({ type: "asset", fileName: "LICENSES.txt", source: [HEAD, ...entries].join(`\n${RULE}\n`) });
    },
  };
  return { page: write, worker: collect };
}

function describe(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const folders = ["", ...(name === "pdfjs-dist" ? ["cmaps", "standard_fonts", "wasm"] : [])];
  const files = folders.flatMap((inner) =>
    readdirSync(join(folder, inner)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).map((file) => join(inner, file)),
  );
  if (existsSync(join(folder, "ThirdPartyNotices.txt"))) files.push("ThirdPartyNotices.txt");
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim());
  return [`${name} ${version} (${license})\n`, ...(texts.length ? texts : [NO_FILE])].join("\n") + "\n";
}
