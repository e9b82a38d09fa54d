import { approach, contrast, hueOf, ink, mix, readable, textOn, visible, white } from '../../ground/values/colour.ts';

const mulberry = '#8C2459';
const gold = '#F5B544';
/** What a letter lies on in dark mode. */
export const darkCard = '#221A20';

/** The colours of mail, gift page and print that follow a company's colour. */
export interface BrandColours {
  /** Paper and button. */
  brand: string;
  onBrand: string;
  /** The wire on the brand's paper. */
  wire: string;
  /** Links on light ground. */
  link: string;
  /** The ground around the letter, and of parts of it: white with a breath of the brand. */
  soft: string;
  /** Button and links in dark mode. */
  darkButton: string;
  onDarkButton: string;
  darkLink: string;
}

const computed = new Map<string, BrandColours>();

/** `colour` is one that `textOn` has a text colour for; null: Giftwire's own. */
export function brandColours(colour: string | null): BrandColours {
  const brand = (colour ?? mulberry).toUpperCase();
  const known = computed.get(brand);
  if (known) return known;
  // A visitor may ask for the style sheet of any colour.
  if (computed.size >= 1_000) computed.clear();
  const colours = computeColours(brand);
  computed.set(brand, colours);
  return colours;
}

function computeColours(brand: string): BrandColours {
  const soft = approach(white, mix(brand, ink, 0.9), (one) => contrast(one, white) >= 1.09);
  const darkButton = approach(brand, white, (one) => contrast(one, darkCard) >= visible);
  return {
    brand,
    onBrand: textOn(brand) ?? ink,
    wire: wireOn(brand),
    link: approach(brand, ink, (one) => contrast(one, soft) >= readable),
    soft,
    darkButton,
    onDarkButton: textOn(darkButton) ?? ink,
    darkLink: mix(brand, white, 0.38),
    ...(brand === mulberry && { darkButton: '#B23C78', darkLink: '#F19BC4' }),
  };
}

/** Gold cannot be seen on yellow and orange, and white neither on a pale yellow. */
function wireOn(brand: string): string {
  const { hue, chroma } = hueOf(brand);
  const isLikeGold = chroma > 0.05 && hue > 40 && hue < 115 && contrast(gold, brand) < visible;
  if (!isLikeGold) return gold;
  return contrast(white, brand) >= 1.3 ? white : ink;
}
