import { html } from 'ghtml';
import type { Words } from '../../../../giving/gifts/words/words.ts';
import { type Language, languages, ownName } from '../../../../ground/values/language.ts';
import { wordDotsPath, wordPath } from '../../drawings.ts';
import { addresses, colourAddress } from './assets.ts';

/** Whom the page comes from, as people see it. */
export interface PageCompany {
  name: string;
  /** #RRGGBB; null: Giftwire's own. */
  colour: string | null;
  /** The address of its logo; null: its name stands there. */
  logo: string | null;
}

export interface WrittenPage {
  words: Words;
  /** Null before the gift is known. */
  company: PageCompany | null;
  title: string;
  body: string;
  /** What every form on the page sends along. */
  sent?: Sent;
  /** Where a form that asks for the page in another language goes. Absent: to the first page, with a plain link. */
  languageAction?: string;
  /** Where the language links go; absent: /g. */
  home?: string;
  /** Where the script posts the token of the address; absent: to the gift pages. */
  look?: string;
  /** By this the script remembers that the gift was opened. */
  giftMark?: string;
  /** A page that comes after the gift's own: the browser's Back returns from it to the gift. */
  isStep?: boolean;
}

export interface Sent {
  token?: string;
  lang?: Language | null;
}

/** A whole document. The script takes its body, its title and its colour into the page that is open. */
export function writeGiftPage(page: WrittenPage): string {
  const { words, company, title, body, giftMark, look, isStep = false } = page;
  const full = company ? `${title} · ${isolate(company.name)}` : title;
  const colour = company?.colour
    ? html`<link rel="stylesheet" href="${colourAddress(company.colour)}" data-colour>`
    : '';
  const mark = giftMark === undefined ? '' : html` data-gift="${giftMark}"`;
  const step = isStep ? ' data-step' : '';
  const address = look === undefined ? '' : html` data-look="${look}"`;
  return html`<!doctype html>
<html lang="${words.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${full}</title>
<link rel="icon" href="${addresses.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${addresses.style}">!${colour}
<script src="${addresses.script}"></script>
</head>
<body data-offline="${words.say('offline')}"!${mark}!${step}!${address}>
!${company ? header(company) : ''}
<main>!${body}</main>
<p class="said" role="status"></p>
!${footer(page)}
</body>
</html>
`;
}

function header({ name, logo }: PageCompany): string {
  const shown = logo
    ? html`<img src="${logo}" alt="${name}" height="32">`
    : html`<span class="face" aria-hidden="true">${initials(name)}</span><bdi>${name}</bdi>`;
  return html`<header class="top"><p class="company">!${shown}</p></header>`;
}

function footer(page: WrittenPage): string {
  const { words } = page;
  return html`<footer class="foot">
<span>${words.say('sentWith')} <svg viewBox="0 0 100 30" role="img" aria-label="Giftwire"><path d="!${wordPath}"/><path class="dots" d="!${wordDotsPath}"/></svg></span>
<span>${words.say('pageNoTracking')}</span>
!${languageChoice(page)}
</footer>`;
}

function languageChoice({ words, sent, languageAction, home = '/g' }: WrittenPage): string {
  const items = languages.map((code) => {
    const name = ownName(code);
    if (words.locale.startsWith(code)) return html`<span aria-current="true">${name}</span>`;
    return languageAction === undefined
      ? html`<a href="${home}?lang=${code}" lang="${code}" hreflang="${code}" data-keeps-hash>${name}</a>`
      : html`<button name="lang" value="${code}" lang="${code}">${name}</button>`;
  });
  const list = html`<nav aria-label="${words.say('language')}">!${items.join(' ')}</nav>`;
  if (languageAction === undefined) return list;
  return html`<form method="post" action="${languageAction}">!${hidden({ token: sent?.token ?? '' })}!${list}</form>`;
}

/** The hidden inputs of a form. */
export function hidden({ token, lang }: Sent): string {
  const input = (name: string, value: string) => html`<input type="hidden" name="${name}" value="${value}">`;
  return (token ? input('token', token) : '') + (lang ? input('lang', lang) : '');
}

/** The first letters of up to two words, in any script. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const some = words.length > 1 ? [words[0], words.at(-1)] : words;
  return some.map((word = '') => [...new Intl.Segmenter().segment(word)][0]?.segment.toUpperCase() ?? '').join('');
}

const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;

/** A name for the middle of a sentence. One that is written from right to left would turn the words around it. */
export function isolate(text: string): string {
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}
