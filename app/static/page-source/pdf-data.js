// Files that pdf.js loads when a PDF needs them, next to the built files: character maps and fonts, packed into one file,
// and a JPEG 2000 decoder without WebAssembly, which would need an exception in the Content-Security-Policy.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PDFJS = join(import.meta.dirname, "node_modules", "pdfjs-dist");
const DECODER = "openjpeg_nowasm_fallback.js";

export function pdfData() {
  return {
    name: "pdf-data",
    apply: "build",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "pdf/data.bin", source: pack([...filesIn("cmaps", ".bcmap"), ...filesIn("standard_fonts", ".pfb", ".ttf")]) });
      this.emitFile({ type: "asset", fileName: `pdf/${DECODER}`, source: readFileSync(join(PDFJS, "wasm", DECODER)) });
    },
  };
}

function filesIn(folder, ...suffixes) {
  const names = readdirSync(join(PDFJS, folder)).filter((name) => suffixes.some((suffix) => name.endsWith(suffix)));
  return names.sort().map((name) => [name, readFileSync(join(PDFJS, folder, name))]);
}

/** The packed file: the length of the index (4 bytes), the index (JSON: name → start and end), and the files. */
function pack(files) {
  let at = 0;
  const index = Object.fromEntries(files.map(([name, { length }]) => [name, [at, (at += length)]]));
  const head = Buffer.from(JSON.stringify(index));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  return Buffer.concat([length, head, ...files.map(([, content]) => content)]);
}
