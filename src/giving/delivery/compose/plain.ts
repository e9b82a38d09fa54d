/** Made when the first text is cut: making one takes longer than loading all of this folder. */
let graphemes: Intl.Segmenter | null = null;

/**
 * A text that stands within a line or a header: a name, a reason. Line breaks and other control characters become spaces.
 * Characters that turn the writing direction are left out, because they would turn our own words with them.
 */
export function oneLine(text: string, most = 200): string {
  const line = text
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return cut(line, most);
}

/** The paragraphs of a text that a person wrote, each of them in lines. */
export function paragraphs(text: string): string[][] {
  const clean = text
    .replace(/\r\n?|[\v\f\u0085\p{Zl}\p{Zp}]/gu, '\n')
    .replace(/\t/g, ' ')
    .replace(/(?!\n)\p{Cc}/gu, '');
  return clean
    .split(/\n[^\S\n]*\n\s*/)
    .map((paragraph) => paragraph.split('\n').map((line) => line.trim()))
    .filter((lines) => lines.some((line) => line !== ''));
}

/** Between words, else between characters as people see them: an emoji of several code points is not cut. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    if (kept.length + segment.length >= most) break;
    kept += segment;
  }
  const wordsEnd = kept.lastIndexOf(' ');
  return `${(wordsEnd > most * 0.8 ? kept.slice(0, wordsEnd) : kept).trimEnd()}…`;
}

const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/u;

/** The direction of a text, by its first letter. An email's tables need it, because many mail readers do not know dir="auto". */
export function directionOf(text: string): 'ltr' | 'rtl' {
  const [letter] = /\p{L}/u.exec(text) ?? [];
  return letter && rightToLeft.test(letter) ? 'rtl' : 'ltr';
}
