import { html } from 'ghtml';
import type { Words } from '../../../../giving/gifts/words/words.ts';
import type { Failure } from '../../../../ground/errors.ts';
import type { Language } from '../../../../ground/values/language.ts';
import { type WrittenPage, writeGiftPage } from './page.ts';
import { brokenWire, intro, wireWithBow } from './parcel.ts';

/** The page at /g, before a gift is known: a form for the short code. The script looks at the gift of the address at once. */
export function startPage(words: Words, lang: Language | null): string {
  const title = words.say('startTitle');
  const body = html`<section class="state start">!${intro(wireWithBow, title, words.say('startLead'))}!${codeForm(words, lang)}</section>
!${skeleton(words)}`;
  return writeGiftPage(unknownGift(words, title, body));
}

/** One page for links and codes that are unknown, malformed or replaced, so that the visitor does not learn which. A typed code stays. */
export function notFoundPage(words: Words, lang: Language | null, code = ''): string {
  const title = words.say('notFoundTitle');
  const lead = words.say(code === '' ? 'notFoundLead' : 'codeNotFoundLead');
  return writeGiftPage(unknownGift(words, title, notice(words, title, lead, lang, code)));
}

export function errorPage(words: Words, status: number, failure: Failure): string {
  const [title, lead] = errorTexts(words, status, failure);
  return writeGiftPage(unknownGift(words, title, notice(words, title, lead, null)));
}

function errorTexts(words: Words, status: number, { headers }: Failure): [string, string] {
  const seconds = headers['Retry-After'] ?? '60';
  if (status === 429) return [words.say('tooManyTitle'), words.say('tooManyLead', { seconds })];
  if (status === 404 || status === 405) return [words.say('nothingTitle'), words.say('nothingLead')];
  if (status >= 500) return [words.say('faultTitle'), words.say('faultLead')];
  return [words.say('refusedTitle'), words.say('refusedLead')];
}

function unknownGift(words: Words, title: string, body: string): WrittenPage {
  return { words, company: null, title, body };
}

function notice(words: Words, title: string, lead: string, lang: Language | null, code = ''): string {
  return html`<section class="state">!${intro(brokenWire, title, lead)}!${codeForm(words, lang, code)}</section>`;
}

const longestCode = 40;

function codeForm(words: Words, lang: Language | null, code = ''): string {
  const typed = code === '' ? '' : html` value="${code.slice(0, longestCode)}" aria-invalid="true" autofocus`;
  const chosen = lang === null ? '' : html`<input type="hidden" name="lang" value="${lang}">`;
  return html`<form class="panel" method="post" action="/g">!${chosen}
<label for="short">${words.say('shortLabel')}</label>
<input class="short" type="text" id="short" name="code" required maxlength="${longestCode}"!${typed} autocomplete="off" autocapitalize="characters" spellcheck="false" placeholder="XXXX-XXXX-XXXX-XXXX" aria-describedby="short-hint">
<p class="small hint" id="short-hint">${words.say('shortHint')}</p>
<button class="button">${words.say('findGift')}</button>
</form>`;
}

/** Shown while the script looks for the gift, if that takes long enough to notice. */
function skeleton(words: Words): string {
  return html`<div class="skeleton" role="status"><span class="vh">${words.say('waiting')}</span><i></i><i></i><i></i></div>`;
}
