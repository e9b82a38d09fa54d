/** Colours are texts as #8C2459. */
export const white = '#FFFFFF';
export const ink = '#241720';

/** What text needs on its ground, and what graphics need (WCAG 2.2, AA). */
export const readable = 4.5;
export const visible = 3;

export function isColour(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/** The contrast of two colours as WCAG 2 defines it: 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** The colour of text on a ground: white where that can be read, else ink. Null where neither can. */
export function textOn(ground: string): string | null {
  return [white, ink].find((text) => contrast(text, ground) >= readable) ?? null;
}

/** The nearest colours on which text is readable, a darker and a lighter one, to suggest when a colour is rejected. */
export function readableNeighbours(colour: string): string[] {
  return ['#000000', white].map((end) => approach(colour, end, (one) => textOn(one) !== null));
}

/** The first colour on the way from one to another that is good enough. */
export function approach(from: string, to: string, isGood: (colour: string) => boolean): string {
  for (let share = 0; share < 1; share += 0.02) {
    const colour = mix(from, to, 1 - share);
    if (isGood(colour)) return colour;
  }
  return to;
}

/** A mixture with this share of the first colour, as CSS color-mix(in oklab) makes it. Emails cannot leave that to the reader. */
export function mix(one: string, other: string, share: number): string {
  const [a, b] = [toOklab(one), toOklab(other)];
  return fromOklab(a.map((value, nth) => value * share + (b[nth] as number) * (1 - share)) as Triple);
}

/** The hue in degrees (red 29, orange 60, yellow 110) and how strong the colour is, as OKLCH has them. */
export function hueOf(colour: string): { hue: number; chroma: number } {
  const [, a, b] = toOklab(colour);
  return { hue: ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360, chroma: Math.hypot(a, b) };
}

type Triple = [number, number, number];

function luminance(colour: string): number {
  const [red, green, blue] = toLinear(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function toLinear(colour: string): Triple {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255].map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Triple;
}

function fromLinear(parts: Triple): string {
  const bytes = parts.map((part) => {
    const share = part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055;
    return Math.round(255 * Math.min(1, Math.max(0, share)));
  });
  return `#${Buffer.from(bytes).toString('hex').toUpperCase()}`;
}

// The matrices are those of https://bottosson.github.io/posts/oklab/.
function toOklab(colour: string): Triple {
  const cone = multiply(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    toLinear(colour),
  );
  return multiply(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cone.map(Math.cbrt) as Triple,
  );
}

function fromOklab(lab: Triple): string {
  const cone = multiply(
    [
      [1, 0.3963377774, 0.2158037573],
      [1, -0.1055613458, -0.0638541728],
      [1, -0.0894841775, -1.291485548],
    ],
    lab,
  );
  return fromLinear(
    multiply(
      [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.707614701],
      ],
      cone.map((part) => part ** 3) as Triple,
    ),
  );
}

function multiply(rows: [Triple, Triple, Triple], [x, y, z]: Triple): Triple {
  return rows.map(([a, b, c]) => a * x + b * y + c * z) as Triple;
}
