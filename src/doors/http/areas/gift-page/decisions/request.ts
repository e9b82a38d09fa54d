import { html } from 'ghtml';
import type { Matter } from '../../../../../giving/delivery/approvals/matter.ts';
import { figuresOf } from '../../../../../giving/delivery/approvals/message.ts';
import { longest } from '../../../../../ground/values/text.ts';
import { hidden, initials, isolate } from '../page.ts';
import { base, decisionPage } from './notices.ts';
import type { Typed, Visit } from './visit.ts';

/** The request, and the form that decides it. `form` proves that the page has shown these orders. */
export function requestPage(visit: Visit, matter: Matter, form: string, typed?: Typed): string {
  const { words, token, lang, approver } = visit;
  const { sender, amount, whom } = figuresOf(words, matter);
  const title = words.say('askTitle', { sender: isolate(sender), amount });
  const name = isolate(approver?.user.name ?? '');
  const body = html`<section class="state">
<div class="intro"><h1 tabindex="-1">${title}</h1><p class="lead">${words.say('decideLead', { whom: isolate(whom) })}</p></div>
<article class="letter ask">!${written(visit, matter)}!${facts(visit, matter)}</article>
<form class="panel decide" method="post" action="${base}">!${hidden({ token, lang })}<input type="hidden" name="form" value="${form}">
!${problemOf(typed)}!${commentField(visit, sender, typed)}
<button class="button" name="decision" value="APPROVED">${words.say('approveButton', { amount })}</button>
<button class="button quiet" name="decision" value="DECLINED">${words.say('declineButton')}</button>
</form>
<p class="small centre decider">${words.say('decideAs', { name })}</p>
</section>`;
  return decisionPage(visit, title, body);
}

/** Why the sender asks, and the message of the only gift. */
function written({ words }: Visit, matter: Matter): string {
  const { note, only } = matter;
  const { sender } = figuresOf(words, matter);
  const why = note
    ? html`<h2>${words.say('decideNote', { sender: isolate(sender) })}</h2><p class="note" dir="auto">${note}</p>`
    : '';
  const message = only?.message ? html`<blockquote class="words first" dir="auto">${only.message}</blockquote>` : '';
  const from = html`<p class="from"><span class="face" aria-hidden="true">${initials(sender)}</span><b><bdi>${sender}</bdi></b></p>`;
  return message + (message ? from : '') + why;
}

function facts({ words, timeZone }: Visit, matter: Matter): string {
  const { rule, ownersAsked, approvedBy, gifts, decideBy } = matter;
  const { amount } = figuresOf(words, matter);
  return factList([
    [words.say('askTotal'), amount],
    [words.say('askGifts'), words.number(gifts)],
    [words.say('decideWhy'), ownersAsked ? words.say('decideOwners', { rule }) : rule],
    ...(approvedBy === null ? [] : [[words.say('decideFirst'), approvedBy] as const]),
    [words.say('askBy'), words.lastDay(decideBy, timeZone)],
  ]);
}

export function factList(shown: readonly (readonly [label: string, value: string])[]): string {
  const rows = shown.map(
    ([label, value]) => html`<div><dt class="small">${label}</dt><dd><bdi>${value}</bdi></dd></div>`,
  );
  return html`<dl class="facts">!${rows.join('')}</dl>`;
}

function problemOf(typed?: Typed): string {
  return typed?.problem ? html`<p class="fault" role="alert">${typed.problem}</p>` : '';
}

function commentField({ words }: Visit, sender: string, typed?: Typed): string {
  const wrong = typed?.commentFault ?? null;
  const mark = wrong ? ' aria-invalid="true" autofocus' : '';
  const fault = wrong
    ? html`<p class="fault" id="comment-fault">${words.say(wrong, { sender: isolate(sender) })}</p>`
    : '';
  return html`<label for="comment">${words.say('commentLabel', { sender: isolate(sender) })}</label>
<textarea id="comment" name="comment" maxlength="${longest.comment}" dir="auto" aria-describedby="comment-hint!${wrong ? ' comment-fault' : ''}"!${mark}>${typed?.comment ?? ''}</textarea>!${fault}
<p class="small hint" id="comment-hint">${words.say('commentHint')}</p>`;
}
