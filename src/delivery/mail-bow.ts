import { html } from 'ghtml';
import type { BrandColours } from '../gifts/brand.ts';

const line = 4;

/**
 * The wire that ties itself into a bow, on paper of the brand's colour. Borders of table cells draw it: mail programs show no
 * inline SVG. Where round corners are not known, it is a bow of right angles.
 */
export function bow({ wire }: BrandColours): string {
  const wires = `border:${line}px solid ${wire};`;
  const under = `border-bottom:${line}px solid ${wire};`;
  const tail = (side: 'left' | 'right') =>
    `${under}border-${side}:${line}px solid ${wire};border-bottom-${side}-radius:22px;`;
  return html`<table role="presentation" aria-hidden="true" width="100%" cellpadding="0" cellspacing="0" border="0">
<tr><td colspan="6" height="22" style="height:22px;!${nothing}">&nbsp;</td></tr>
<tr>!${cell('', 30)}!${cell(`${wires}border-radius:24px 22px 2px 18px;width:40px;`, 30, 2)}!${cell(`${wires}border-radius:22px 24px 18px 2px;width:40px;`, 30, 2)}!${cell('', 30)}</tr>
<tr>!${cell(`${under}width:50%;`, 20)}!${cell(`${under}width:14px;`, 20)}!${cell(`${tail('right')}width:26px;`, 20)}!${cell(`${tail('left')}width:26px;`, 20)}!${cell(`${under}width:14px;`, 20)}!${cell(`${under}width:50%;`, 20)}</tr>
<tr><td colspan="6" height="26" style="height:26px;!${nothing}">&nbsp;</td></tr>
</table>`;
}

/** The wire alone, for a mail that is no gift. */
export function strip({ wire }: BrandColours): string {
  return html`<table role="presentation" aria-hidden="true" width="100%" cellpadding="0" cellspacing="0" border="0">
<tr>!${cell(`border-bottom:${line}px solid ${wire};`, 16)}</tr>
<tr>!${cell('', 16)}</tr>
</table>`;
}

const nothing = 'font-size:0;line-height:0;';

function cell(style: string, height: number, span = 1): string {
  const [, width] = /width:(\d+)/.exec(style) ?? [];
  const sized = width && !style.includes('%') ? html` width="${width}"` : '';
  return html`<td!${span > 1 ? html` colspan="${span}"` : ''}!${sized} height="${height}" style="!${style}height:${height}px;!${nothing}">&nbsp;</td>`;
}
