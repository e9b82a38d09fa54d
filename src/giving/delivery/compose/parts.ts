import { html } from 'ghtml';
import { white } from '../../../ground/values/colour.ts';
import type { BrandColours } from '../../gifts/brand.ts';
import type { Letter, Piece, Section, Sentence } from './letter.ts';
import { directionOf, paragraphs } from './plain.ts';
import { inks, mono, sans, serif } from './style.ts';

const table = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';

export function heading(title: string, lead: string): string {
  return html`<h1 class="ink h1" dir="auto" style="margin:0 0 6px;!${serif(600, 30, 36)}color:${inks.strong};">${title}</h1>
<p class="ink2" style="margin:0 0 28px;!${sans(400, 16, 24)}color:${inks.second};">!${lead}</p>`;
}

/** The wire stands where the writing begins. */
export function mailQuote({ text, by }: NonNullable<Letter['quote']>, { brand, wire }: BrandColours): string {
  // The letter is white too.
  const colour = wire === white ? brand : wire;
  const direction = directionOf(text);
  const side = direction === 'rtl' ? 'right' : 'left';
  const written = paragraphs(text).map(
    (lines, nth) =>
      html`<p class="ink words" dir="auto" style="margin:${nth === 0 ? 0 : 14}px 0 0;!${serif(400, 20, 31)}color:${inks.strong};">!${lines.map((one) => html`${one}`).join('<br>')}</p>`,
  );
  const signature =
    by && html`<p class="ink" dir="auto" style="margin:14px 0 0;!${sans(600, 15, 22)}color:${inks.strong};">${by}</p>`;
  return html`<table !${table} width="100%" dir="${direction}"><tr>
<td width="4" bgcolor="${colour}" style="width:4px;background-color:${colour};border-radius:4px;font-size:0;">&nbsp;</td>
<td style="padding:2px 0;padding-${side}:20px;">!${written}!${signature}</td>
</tr></table>`;
}

/** Each entry with a rule above it: who, then what they wrote. */
export function section({ title, entries }: Section, colours: BrandColours): string {
  const rows = entries.map(
    ({ lead, text }) => html`<tr><td class="rule" style="padding:12px 0;border-top:1px solid #eadfe5;">
<p class="ink2" dir="auto" style="margin:0;!${sans(400, 14, 20)}color:${inks.second};">!${sentence(lead, colours)}</p>
!${text && html`<p class="ink" dir="auto" style="margin:4px 0 0;!${serif(400, 17, 26)}color:${inks.strong};">${text}</p>`}
</td></tr>`,
  );
  const head =
    title &&
    html`<h2 class="ink" dir="auto" style="margin:24px 0 10px;!${sans(600, 16, 24)}color:${inks.strong};">${title}</h2>`;
  return html`!${head}
<table !${table} width="100%">!${rows}</table>`;
}

export function button({ label, href }: NonNullable<Letter['button']>, { brand, onBrand }: BrandColours): string {
  return html`<table !${table} class="btn-t" style="margin:32px 0 28px;"><tr>
<td class="btn-c" align="center" bgcolor="${brand}" style="background-color:${brand};border-radius:12px;"><a class="btn-a" href="${href}" style="display:inline-block;padding:15px 34px;!${sans(600, 17, 22)}color:${onBrand};text-decoration:none;border-radius:12px;">${label}</a></td>
</tr></table>`;
}

export function facts(shown: Letter['facts']): string {
  const cells = shown.map(({ label, value, isPersonal }, nth) => {
    const isLast = nth === shown.length - 1;
    const border = isLast ? 'padding:0;' : 'padding:0 20px 0 0;border-right:1px solid #eadfe5;';
    const start = nth > 0 ? 'padding-left:20px;' : '';
    const type = isPersonal ? serif(400, 17, 26) : sans(600, 14, 20);
    return html`<td class="fact rule" valign="top" style="!${border}!${start}!${sans(400, 14, 20)}"><span class="ink3" style="color:${inks.third};">${label}</span><br><span class="ink" dir="auto" style="!${type}color:${inks.strong};"><bdi>${value}</bdi></span></td>`;
  });
  return html`<table !${table} style="margin-top:24px;"><tr>!${cells}</tr></table>`;
}

export function block(text: string): string {
  return html`<p class="ink2" dir="auto" style="margin:20px 0 0;!${sans(400, 15, 23)}color:${inks.second};">!${text}</p>`;
}

export function mailCodeBox(code: string): string {
  return html`<p class="ink" style="margin:0;!${mono(600, 36, 44)}letter-spacing:6px;color:${inks.strong};">${code}</p>`;
}

export function otherWay(
  { sentence: text, shortToken }: NonNullable<Letter['otherWay']>,
  colours: BrandColours,
): string {
  return html`<table !${table} width="100%" style="margin-top:28px;"><tr>
<td class="soft" bgcolor="${colours.soft}" style="padding:16px 20px;background-color:${colours.soft};border-radius:12px;!${sans(400, 14, 21)}"><span class="ink2" style="color:${inks.second};">!${sentence(text, colours)}</span><br>
<span class="ink" style="display:inline-block;padding-top:4px;!${mono(600, 17, 24)}letter-spacing:.5px;color:${inks.strong};white-space:nowrap;">${shortToken}</span></td>
</tr></table>`;
}

export function small({ title, sentences }: Letter['footer'][number], colours: BrandColours): string {
  const lead = title && html`<strong class="ink2" style="color:${inks.second};">${title}</strong>`;
  const said = [lead, ...sentences.map((one) => sentence(one, colours))].filter(Boolean).join(' ');
  return html`<p class="ink3" style="margin:0 0 12px;!${sans(400, 13, 20)}color:${inks.third};">!${said}</p>`;
}

export function sentence(pieces: Sentence, { link }: BrandColours): string {
  return pieces.map((piece) => pieceHtml(piece, link)).join('');
}

function pieceHtml(piece: Piece, link: string): string {
  if (typeof piece === 'string') return html`${piece}`;
  if ('name' in piece) return html`<bdi>${piece.name}</bdi>`;
  if ('strong' in piece)
    return html`<strong class="ink" style="color:${inks.strong};font-weight:600;">${piece.strong}</strong>`;
  return html`<a class="link" href="${piece.href}" style="color:${link};">${piece.label}</a>`;
}
