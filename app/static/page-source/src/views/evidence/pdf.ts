/** Render PDFs with pdf.js, which parses them in a worker. Loaded when the first PDF is opened. */
import { getDocument, GlobalWorkerOptions, TextLayer, type PDFDocumentProxy, type PDFPageProxy } from "pdfjs-dist";
import workerUrl from "pdfjs-dist/build/pdf.worker.min.mjs?url";

GlobalWorkerOptions.workerSrc = workerUrl;

const FOLDER = "/static/page/pdf/";
const MOST_PIXELS = 2 ** 24; // of one page's canvas
export type { PDFDocumentProxy, PDFPageProxy };

/** Character maps and fonts that PDFs use without embedding them, packed into one file. */
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
    useWasm: false, // compiling it would need an exception in the Content-Security-Policy
    enableXfa: false,
    maxImageSize: MOST_PIXELS * 4,
    canvasMaxAreaInBytes: MOST_PIXELS * 8,
    verbosity: 0,
  }).promise;
}

export interface Drawn {
  /** Free its memory. */
  remove(): void;
}

/** Render the page into an empty element, `width` pixels wide, under an invisible layer of its text for selection and screen readers. */
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
      canvas.width = 0; // otherwise the browser frees its memory later
      place.replaceChildren();
      page.cleanup();
    },
  };
}
