import { setImmediate } from 'node:timers/promises';
import { html } from 'ghtml';
import type { GiftSettings } from '../../../company/workspaces/gift-settings.ts';
import { type BrandColours, brandColours } from '../../gifts/brand.ts';
import type { Gift } from '../../gifts/gift.ts';
import { type Words, wordsFor } from '../../gifts/words/words.ts';
import { directionOf, oneLine, paragraphs } from '../compose/plain.ts';
import { qrPath } from './qr.ts';
import { printStyle } from './style.ts';

/** A gift on paper. */
export interface GiftToPrint {
  gift: Gift;
  shortToken: string;
  /** What the QR code says: `<public url>/g#<long token>`. */
  page: string;
}

export interface PrintOptions {
  settings: GiftSettings;
  /** Where the short token is typed: `<public url>/g`. */
  codePage: string;
  perPage: 1 | 8;
}

/**
 * A page for each gift, or eight on a sheet to cut out, as an HTML document for A4 and Letter. It fetches nothing, has no
 * script and no inline styles: with the hash of `printStyle` it runs under a strict content policy.
 */
export async function printSheet(gifts: readonly GiftToPrint[], options: PrintOptions): Promise<string> {
  const { settings, perPage } = options;
  const { locale, direction } = wordsFor(settings.language);
  const sheets: string[] = [];
  for (const some of chunk(gifts, perPage)) {
    const cards = some.map((one) => card(one, options));
    sheets.push(html`<section class="${perPage === 1 ? 'page' : 'sheet'}">!${cards}</section>`);
    // A QR code takes some milliseconds. Other requests get their turn between sheets.
    await setImmediate();
  }
  return html`<!doctype html>
<html lang="${locale}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${settings.name}</title>
<style>!${printStyle}</style>
</head>
<body>
!${sheets.join('\n')}
</body>
</html>
`;
}

function card({ gift, shortToken, page }: GiftToPrint, { settings, codePage, perPage }: PrintOptions): string {
  const words = wordsFor(gift.language, settings.language);
  const colours = brandColours(settings.colour);
  const company = oneLine(settings.name, 80);
  return html`<article class="gift" lang="${words.locale}" dir="${words.direction}">
<header><p class="company"><bdi>${company}</bdi> <bdi class="to">${whoFor(gift)}</bdi></p>!${perPage === 1 ? wideBow(colours) : smallBow(colours)}</header>
<h1>!${pieces(words, 'giftTitle', { occasion: gift.occasion ?? 'none', named: gift.firstName.trim() ? 'yes' : 'no', name: { name: gift.firstName } })}</h1>
<p class="lead">!${pieces(words, 'giftLead', { sender: { name: gift.senderName || company }, amount: { name: words.money(gift.amount, gift.currency) } })}</p>
!${letter(gift, gift.senderName || company)}
<div class="open">!${qrCode(page, words.say('printScan'))}
<div class="ways"><p class="scan">${words.say('printScan')}</p>
<p>!${pieces(words, 'printOtherWay', { page: { name: codePage.replace(/^https?:\/\//, '') } })}</p>
<p class="code">${shortToken}</p>
!${below(words, gift, settings)}</div></div>
<footer>!${pieces(words, 'printedBy', { company: { name: company } })}</footer>
</article>
`;
}

/** So that people who hand cards out know whom each is for. */
function whoFor({ firstName, lastName, employeeNumber, email }: Gift): string {
  const name = `${firstName} ${lastName}`.trim();
  return oneLine([name, employeeNumber ?? email ?? ''].filter(Boolean).join(', '), 80);
}

function letter({ message }: Gift, sender: string): string {
  const length = message.length > 450 ? ' long' : message.length > 140 ? ' medium' : '';
  const written = paragraphs(message).map(
    (lines) => html`<p dir="auto">!${lines.map((line) => html`${line}`).join('<br>')}</p>`,
  );
  return html`<blockquote class="letter${length}" dir="${directionOf(message)}"><div class="words">!${written}</div>
<p class="by" dir="auto">${oneLine(sender, 80)}</p></blockquote>`;
}

function below(words: Words, { reason, expiresAt }: Gift, { timeZone, sentence }: GiftSettings): string {
  const facts = [
    [words.say('giftReason'), oneLine(reason)],
    ...(expiresAt ? [[words.say('giftClaimBy'), words.lastDay(expiresAt, timeZone)]] : []),
  ];
  const shown = facts.map(([label, value]) => html`<div><dt>${label}</dt><dd><bdi>${value}</bdi></dd></div>`);
  return html`<dl>!${shown}</dl>!${sentence ? html`<p class="own" dir="auto">${oneLine(sentence, 300)}</p>` : ''}`;
}

/** A text with names in it, which may be written in another direction. */
function pieces(
  words: Words,
  key: 'giftTitle' | 'giftLead' | 'printOtherWay' | 'printedBy',
  values: Record<string, string | { name: string }>,
): string {
  return words
    .pieces(key, values)
    .map((piece) => (typeof piece === 'string' ? html`${piece}` : html`<bdi>${oneLine(piece.name, 80)}</bdi>`))
    .join('');
}

function qrCode(link: string, label: string): string {
  const { size, path } = qrPath(link);
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" role="img" aria-label="${label}"><path fill="#ffffff" d="M0 0h${size}v${size}H0z"/><path fill="#000000" d="${path}"/></svg>`;
}

const bowPath =
  'M4 24C9 23.4 13.4 19.5 16 14C19.4 7 25 1.8 28.6 3.8C32.2 5.9 29.8 14 16 14C2.2 14-.2 5.9 3.4 3.8C7 1.8 12.6 7 16 14C18.6 19.5 23 23.4 28 24';

/** The colour of the brand where paper shows it, else ink: a printer makes nothing of a pale yellow line. */
function smallBow({ link }: BrandColours): string {
  return html`<svg class="bow" viewBox="0 0 32 26" fill="none" stroke="${link}" stroke-width="2.2" stroke-linecap="round" aria-hidden="true"><path d="${bowPath}"/></svg>`;
}

/** The wire runs over the page and ties itself into a bow in the middle. */
function wideBow({ link }: BrandColours): string {
  return html`<svg class="wire" viewBox="-84 0 200 27" fill="none" stroke="${link}" stroke-width="1.2" stroke-linecap="round" aria-hidden="true"><path d="M-84 24.2H0Q2 24.2 4 24M28 24Q30 24.2 32 24.2H116"/><path d="${bowPath}"/></svg>`;
}

function chunk<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, nth) => all.slice(nth * size, (nth + 1) * size));
}
