import { html } from 'ghtml';
import type { Words } from '../../../../../giving/gifts/words/words.ts';
import type { Failure } from '../../../../../ground/errors.ts';
import { pausedWire } from '../decisions/notices.ts';
import { isolate, writeGiftPage } from '../page.ts';
import { brokenWire, intro } from '../parcel.ts';
import type { NoteVisit } from './visit.ts';

export const noteBase = '/note';
const look = `${noteBase}/look`;

/** The page before the link is known. The script looks at the link of the address at once. */
export function noteStartPage(words: Words): string {
  const title = words.say('noteStartTitle');
  const body = html`<section class="state">!${intro(pausedWire, title, words.say('noteStartLead'))}</section>
<div class="skeleton" role="status"><span class="vh">${words.say('noteWaiting')}</span><i></i><i></i><i></i></div>`;
  return writeGiftPage({ words, company: null, title, body, look, home: noteBase });
}

/** One page for links that are unknown, malformed or of a lost history, so that the visitor does not learn which. */
export function noteNotFoundPage(words: Words): string {
  return unknown(words, words.say('linkNotFoundTitle'), words.say('noteNotFoundLead'));
}

export function noteErrorPage(words: Words, status: number, { headers }: Failure): string {
  const seconds = headers['Retry-After'] ?? '60';
  if (status === 429) return unknown(words, words.say('linkTooManyTitle'), words.say('linkTooManyLead', { seconds }));
  if (status >= 500) return unknown(words, words.say('faultTitle'), words.say('faultLead'));
  if (status === 404 || status === 405) return noteNotFoundPage(words);
  return unknown(words, words.say('refusedTitle'), words.say('refusedLead'));
}

export function otherManagerPage(visit: NoteVisit, name: string): string {
  const { words } = visit;
  const title = words.say('otherPersonTitle');
  return notePage(visit, title, intro(brokenWire, title, words.say('noteOtherLead', { name: isolate(name) })));
}

/** A page of a link, with what its forms send along. */
export function notePage({ words, company, token, lang }: NoteVisit, title: string, content: string): string {
  const body = html`<section class="state">!${content}</section>`;
  return writeGiftPage({
    words,
    company,
    title,
    body,
    sent: { token, lang },
    languageAction: look,
    look,
    home: noteBase,
  });
}

function unknown(words: Words, title: string, lead: string): string {
  const body = html`<section class="state">!${intro(brokenWire, title, lead)}</section>`;
  return writeGiftPage({ words, company: null, title, body, look, home: noteBase });
}
