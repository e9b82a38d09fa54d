import { html } from 'ghtml';
import type { Words } from '../../../../../giving/gifts/words/words.ts';
import type { Failure } from '../../../../../ground/errors.ts';
import { isolate, writeGiftPage } from '../page.ts';
import { brokenWire, intro } from '../parcel.ts';
import type { Visit } from './visit.ts';

export const base = '/decide';
const look = `${base}/look`;

/** The page before a request is known. The script looks at the request of the address at once. */
export function decisionStartPage(words: Words): string {
  const title = words.say('decideStartTitle');
  const body = html`<section class="state">!${intro(pausedWire, title, words.say('decideStartLead'))}!${toConsole(words, '/')}</section>
<div class="skeleton" role="status"><span class="vh">${words.say('decideWaiting')}</span><i></i><i></i><i></i></div>`;
  return writeGiftPage({ words, company: null, title, body, look, home: base });
}

/** One page for links that are unknown, malformed or of a lost history, so that the visitor does not learn which. */
export function linkNotFoundPage(words: Words): string {
  return unknown(words, words.say('linkNotFoundTitle'), words.say('linkNotFoundLead'));
}

export function linkErrorPage(words: Words, status: number, { headers }: Failure): string {
  const seconds = headers['Retry-After'] ?? '60';
  if (status === 429) return unknown(words, words.say('linkTooManyTitle'), words.say('linkTooManyLead', { seconds }));
  if (status >= 500) return unknown(words, words.say('faultTitle'), words.say('faultLead'));
  if (status === 404 || status === 405) return linkNotFoundPage(words);
  return unknown(words, words.say('refusedTitle'), words.say('refusedLead'));
}

/** For a person who is asked by a later email, at another address or at the next level. Says nothing about the request. */
export function askedElsewherePage(visit: Visit): string {
  return known(visit, visit.words.say('askedElsewhereTitle'), visit.words.say('askedElsewhereLead'));
}

/** Says nothing about the request: the person has no right to it any longer. */
export function notAskedPage(visit: Visit): string {
  return known(visit, visit.words.say('notAskedTitle'), visit.words.say('notAskedLead'));
}

export function otherPersonPage(visit: Visit, name: string): string {
  const { words } = visit;
  return known(visit, words.say('otherPersonTitle'), words.say('otherPersonLead', { name: isolate(name) }));
}

function unknown(words: Words, title: string, lead: string): string {
  const body = html`<section class="state">!${intro(brokenWire, title, lead)}!${toConsole(words, '/')}</section>`;
  return writeGiftPage({ words, company: null, title, body, look, home: base });
}

function known(visit: Visit, title: string, lead: string): string {
  const { words } = visit;
  const body = html`<section class="state">!${intro(brokenWire, title, lead)}!${toConsole(words, consoleOf(visit))}</section>`;
  return decisionPage(visit, title, body);
}

/** A page of a link, with what its forms send along. */
export function decisionPage({ words, company, token, lang }: Visit, title: string, body: string): string {
  return writeGiftPage({ words, company, title, body, sent: { token, lang }, languageAction: look, look, home: base });
}

export function toConsole(words: Words, address: string): string {
  return html`<a class="button quiet" href="${address}">${words.say('toConsole')}</a>`;
}

export function consoleOf({ workspaceId }: Visit): string {
  return `/w/${workspaceId}/approvals`;
}

/** A wire that holds: something waits. */
export const pausedWire =
  '<svg class="mark long" viewBox="0 0 168 40" aria-hidden="true"><path d="M0 20H66M102 20H168M76 8v24M92 8v24"/></svg>';

/** A wire without a gap: it was decided. */
export const wholeWire =
  '<svg class="mark long" viewBox="0 0 168 40" aria-hidden="true"><path d="M0 20H168M70 20l10 10 20-22"/></svg>';
