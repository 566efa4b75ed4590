/** Formulas as MathML, which browsers render without extra fonts or styles. Loaded when needed. */
import katex from "katex";

const MATHML = "http://www.w3.org/1998/Math/MathML";

/** The formula's elements; null if it is not valid. */
export function formula(tex: string, displayMode: boolean): Node | null {
  const holder = document.createElement("span");
  try {
    katex.render(tex, holder, {
      displayMode,
      output: "mathml",
      throwOnError: true,
      strict: false,
      trust: false,
      maxExpand: 200,
      maxSize: 20,
    });
  } catch {
    return null;
  }
  const math = holder.querySelector("math");
  return math?.namespaceURI === MATHML ? math : null;
}
