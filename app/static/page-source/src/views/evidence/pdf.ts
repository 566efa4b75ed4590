/** PDFs drawn in the page by pdf.js, in a worker of its own. Loaded when the first PDF is opened. */
import { getDocument, GlobalWorkerOptions, TextLayer, type PDFDocumentProxy, type PDFPageProxy } from "pdfjs-dist";
import workerUrl from "pdfjs-dist/build/pdf.worker.min.mjs?url";

GlobalWorkerOptions.workerSrc = workerUrl;

const FOLDER = "/static/page/pdf/";
const MOST_PIXELS = 2 ** 24; // of one page's canvas
export type { PDFDocumentProxy, PDFPageProxy };

/** Character maps and fonts that a PDF names but does not have, out of one file. */
class PackedData {
  static #read: Promise<{ index: Record<string, [number, number]>; files: Uint8Array }> | null = null;

  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const { index, files } = await (PackedData.#read ??= PackedData.#load());
    const place = index[filename];
    if (!place) throw new Error(`${filename} is not there.`);
    return files.slice(...place);
  }

  static async #load() {
    const content = await (await fetch(`${FOLDER}data.bin`)).arrayBuffer();
    const start = 4 + new DataView(content).getUint32(0, true);
    const index = JSON.parse(new TextDecoder().decode(content.slice(4, start))) as Record<string, [number, number]>;
    return { index, files: new Uint8Array(content, start) };
  }
}

export async function openPdf(content: Blob): Promise<PDFDocumentProxy> {
  return getDocument({
    data: await content.arrayBuffer(),
    BinaryDataFactory: PackedData,
    cMapPacked: true,
    wasmUrl: FOLDER,
    useWasm: false, // compiling it would need an exception in the policy
    enableXfa: false,
    maxImageSize: MOST_PIXELS * 4,
    canvasMaxAreaInBytes: MOST_PIXELS * 8,
    verbosity: 0,
  }).promise;
}

export interface Drawn {
  /** Give its memory back. */
  remove(): void;
}

/** Draw the page into an empty element as wide as `width`, with its text above it, invisible, to be read and selected. */
export async function drawPage(page: PDFPageProxy, place: HTMLElement, width: number): Promise<Drawn> {
  const scale = width / page.getViewport({ scale: 1 }).width;
  const viewport = page.getViewport({ scale });
  const density = Math.min(devicePixelRatio, Math.sqrt(MOST_PIXELS / (viewport.width * viewport.height)));
  const canvas = document.createElement("canvas");
  canvas.width = Math.floor(viewport.width * density);
  canvas.height = Math.floor(viewport.height * density);
  canvas.setAttribute("aria-hidden", "true");
  const text = document.createElement("div");
  text.className = "pdf-text";
  place.style.setProperty("--total-scale-factor", String(scale));
  place.replaceChildren(canvas, text);
  const transform = density === 1 ? undefined : [density, 0, 0, density, 0, 0];
  const drawing = page.render({ canvas, viewport, ...(transform && { transform }) });
  const layer = new TextLayer({ textContentSource: page.streamTextContent(), container: text, viewport });
  await Promise.all([drawing.promise, layer.render()]);
  return {
    remove() {
      layer.cancel();
      canvas.width = 0; // the browser keeps its memory for longer otherwise
      place.replaceChildren();
      page.cleanup();
    },
  };
}
