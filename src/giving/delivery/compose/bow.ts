import { html } from 'ghtml';
import type { BrandColours } from '../../gifts/brand.ts';

const table = 'role="presentation" aria-hidden="true" cellpadding="0" cellspacing="0" border="0"';
const nothing = 'font-size:0;line-height:0;';

/**
 * The wire that ties itself into a bow, on paper of the brand's colour. Borders of table cells draw it, because mail programs
 * show no inline SVG. Programs without round corners show a bow of right angles.
 */
export function bow({ wire }: BrandColours): string {
  const line = `4px solid ${wire};`;
  const under = `border-bottom:${line}`;
  const loop = (corners: string) => cell(`border:${line}border-radius:${corners};`, 44, 26, 2);
  const tail = (side: 'left' | 'right') =>
    cell(`${under}border-${side}:${line}border-bottom-${side}-radius:24px;`, 40, 22);
  const middle = html`<table !${table} width="104" style="width:104px;">
<tr>!${loop('17px 32px 0 17px')}!${loop('32px 17px 17px 0')}</tr>
<tr>!${cell(under, 8, 22)}!${tail('right')}!${tail('left')}!${cell(under, 8, 22)}</tr>
</table>`;
  return html`<table !${table} width="100%">
<tr><td colspan="3" height="24" style="height:24px;!${nothing}">&nbsp;</td></tr>
<tr><td width="50%" style="!${under}!${nothing}">&nbsp;</td><td width="104" style="width:104px;!${nothing}">!${middle}</td><td width="50%" style="!${under}!${nothing}">&nbsp;</td></tr>
<tr><td colspan="3" height="26" style="height:26px;!${nothing}">&nbsp;</td></tr>
</table>`;
}

/** The wire alone, for an email that is no gift. */
export function strip({ wire }: BrandColours): string {
  return html`<table !${table} width="100%">
<tr><td height="16" style="height:16px;border-bottom:4px solid ${wire};!${nothing}">&nbsp;</td></tr>
<tr><td height="16" style="height:16px;!${nothing}">&nbsp;</td></tr>
</table>`;
}

/** Width and height are those inside the borders. */
function cell(style: string, width: number, height: number, span = 1): string {
  return html`<td colspan="${span}" width="${width}" height="${height}" style="!${style}width:${width}px;height:${height}px;!${nothing}">&nbsp;</td>`;
}
