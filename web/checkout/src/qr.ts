// A text as a QR code in SVG. Kept out of the element's own file, which loads it when there is something to scan.
import { encode } from 'uqr';

// Modules of light around the code that a camera needs (ISO/IEC 18004 asks for four).
const quietZone = 4;

export function qrSvg(text: string, label: string): SVGSVGElement {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  let path = '';
  data.forEach((row, y) =>
    row.forEach((isDark, x) => {
      if (isDark) path += `M${x + quietZone} ${y + quietZone}h1v1h-1z`;
    }),
  );
  const width = size + 2 * quietZone;
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', `0 0 ${width} ${width}`);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
  svg.setAttribute('shape-rendering', 'crispEdges');
  const dark = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  dark.setAttribute('d', path);
  svg.append(dark);
  return svg;
}
