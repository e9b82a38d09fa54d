import { encode } from 'uqr';

/** The white around a QR code, without which many scanners do not find it: four modules, as the standard says. */
const quiet = 4;

/** A QR code as an SVG path of black runs, in a square of `size` modules. It stays readable where 15% of it is dirty. */
export function qrPath(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: 'M', border: quiet });
  const runs = data.flatMap((row, y) =>
    [
      ...row
        .map((isBlack) => (isBlack ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
  );
  return { size, path: runs.join('') };
}
