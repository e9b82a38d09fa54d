import { html } from 'ghtml';
import type { BrandColours } from '../../gifts/brand.ts';
import { bow, strip } from './bow.ts';
import type { Letter } from './letter.ts';
import { block, button, facts, heading, mailCodeBox, mailQuote, otherWay, section, sentence, small } from './parts.ts';
import { mailStyle, sans } from './style.ts';

export interface LogoSize {
  width: number;
  height: number;
}

/**
 * A letter as HTML. Tables and inline styles, because many mail programs know no others; what changes in dark mode has a class.
 * No image except the company's logo, which is attached: the email looks the same where images are off, and nothing is fetched.
 */
export function mailHtml(letter: Letter, colours: BrandColours, logo: LogoSize | null): string {
  const { words, subject, preview } = letter;
  const attributes = html`lang="${words.locale}" dir="${words.direction}"`;
  return html`<!doctype html>
<html !${attributes}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${subject}</title>
<style>
!${mailStyle(colours)}
</style>
</head>
<body class="bg" style="margin:0;padding:0;background-color:${colours.soft};">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all;font-size:1px;line-height:1px;color:${colours.soft};">${preview}!${'&#8199;&#847; '.repeat(24)}</div>
<div role="article" aria-roledescription="email" aria-label="${subject}" !${attributes}>
<table role="presentation" class="bg" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${colours.soft}" style="background-color:${colours.soft};">
<tr><td class="outer" align="center" style="padding:32px 16px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;">
<tr><td align="center" style="padding:0 0 20px;">!${companyLine(letter, logo)}</td></tr>
<tr><td bgcolor="${colours.brand}" style="background-color:${colours.brand};border-radius:16px 16px 0 0;">!${letter.code || letter.isPlain ? strip(colours) : bow(colours)}</td></tr>
<tr><td class="card pad" bgcolor="#ffffff" style="padding:36px 44px 40px;background-color:#ffffff;border-radius:0 0 16px 16px;word-break:break-word;overflow-wrap:anywhere;">
!${card(letter, colours)}
</td></tr>
<tr><td class="pad" style="padding:24px 44px 0;word-break:break-word;overflow-wrap:anywhere;">
!${letter.footer.map((group) => small(group, colours))}
</td></tr>
</table>
</td></tr>
</table>
</div>
</body>
</html>
`;
}

function companyLine({ company }: Letter, logo: LogoSize | null): string {
  const type = `${sans(600, 16, 24)}color:#241720;`;
  if (!logo) return html`<span class="ink" style="!${type}"><bdi>${company}</bdi></span>`;
  return html`<img class="logo" src="cid:logo" width="${logo.width}" height="${logo.height}" alt="${company}" style="!${type}border:0;border-radius:6px;">`;
}

function card(letter: Letter, colours: BrandColours): string {
  const { title, lead, code, notes } = letter;
  const parts = [
    heading(title, sentence(lead, colours)),
    code && mailCodeBox(code),
    letter.quote && mailQuote(letter.quote, colours),
    ...(letter.sections ?? []).map((one) => section(one, colours)),
    letter.button && button(letter.button, colours),
    letter.facts.length > 0 && facts(letter.facts),
    ...notes.map((note) => block(sentence(note, colours))),
    letter.otherWay && otherWay(letter.otherWay, colours),
  ];
  return parts.filter(Boolean).join('\n');
}
