import { html } from 'ghtml';
import type { Ask } from '../../../../../giving/automations/asks.ts';
import type { OpenAsks } from '../../../../../giving/delivery/managers/due.ts';
import { figuresOfAsk } from '../../../../../giving/delivery/managers/message.ts';
import { wholeWire } from '../decisions/notices.ts';
import { factList } from '../decisions/request.ts';
import { hidden, initials, isolate } from '../page.ts';
import { brokenWire, intro } from '../parcel.ts';
import { noteBase, notePage } from './notices.ts';
import type { NoteVisit } from './visit.ts';

/** As the API takes them. */
export const longestLine = 300;
export const longestShoutout = 1_000;

/** What a press has led to. */
export interface Pressed {
  /** In place of the usual title: what was done. */
  said?: { title: string; lead: string };
  /** What was typed and not taken. */
  typed?: { occurrenceId: number; text: string; fault: string };
}

/** The forms of what is open. If nothing is: what has happened meanwhile. */
export function askPage(visit: NoteVisit, { open, done }: OpenAsks, { said, typed }: Pressed = {}): string {
  const { words, mail } = visit;
  if (open.length === 0) return said ? saidPage(visit, said) : closedPage(visit, done);
  const isLine = mail.kind === 'LINE';
  const asked = titleOf(visit, isLine ? 'lineTitle' : 'nudgeTitle', open);
  const title = said?.title ?? asked;
  const head = said
    ? intro(wholeWire, said.title, said.lead)
    : html`<div class="intro"><h1 tabindex="-1">${asked}</h1><p class="lead">${leadOf(visit, open)}</p></div>`;
  const forms = open.map((ask) => (isLine ? lineForm : nudgeForm)(visit, ask, typed));
  const past = done.map(
    (ask) => html`<p class="small centre decider">${titleOf(visit, isLine ? 'lineGone' : 'nudgeGiven', [ask])}</p>`,
  );
  const name = isolate(mail.name);
  return notePage(
    visit,
    title,
    html`!${head}!${forms.join('')}!${past.join('')}<p class="small centre decider">${words.say('noteAs', { name })}</p>`,
  );
}

function leadOf({ words, mail }: NoteVisit, open: readonly Ask[]): string {
  if (mail.kind === 'LINE') return words.say('linePageLead');
  const [only] = open.length === 1 ? open : [];
  return only ? words.say('nudgeLead', { what: figuresOfAsk(words, only).what }) : words.say('nudgeLeadAll');
}

type TitleKey = 'lineTitle' | 'nudgeTitle' | 'lineGoneTitle' | 'nudgeGivenTitle' | 'lineGone' | 'nudgeGiven';

export function titleOf({ words }: NoteVisit, key: TitleKey, asks: readonly Ask[]): string {
  const [first] = asks as [Ask];
  return words.say(key, { count: asks.length, person: isolate(figuresOfAsk(words, first).person) });
}

function saidPage(visit: NoteVisit, { title, lead }: NonNullable<Pressed['said']>): string {
  return notePage(visit, title, intro(wholeWire, title, lead));
}

function closedPage(visit: NoteVisit, done: readonly Ask[]): string {
  const { words, mail } = visit;
  const title = words.say('noteOverTitle');
  if (done.length === 0) return notePage(visit, title, intro(brokenWire, title, words.say('noteOverLead')));
  const isLine = mail.kind === 'LINE';
  return saidPage(visit, {
    title: titleOf(visit, isLine ? 'lineGoneTitle' : 'nudgeGivenTitle', done),
    lead: words.say(isLine ? 'lineGoneLead' : 'nudgeGivenLead'),
  });
}

/** The message as it goes out, and the line that comes before it. */
function lineForm(visit: NoteVisit, ask: Ask, typed: Pressed['typed']): string {
  const { words, mail, company } = visit;
  const { person, what, day } = figuresOfAsk(words, ask);
  const until = words.moment(ask.dueAt, mail.timeZone);
  const from = ask.from ?? company.name;
  const facts = factList([
    [what, day],
    ...(ask.gift ? [[words.say('lineGift'), words.money(ask.gift.amount, ask.gift.currency)] as const] : []),
  ]);
  return html`<article class="letter ask"><blockquote class="words first" dir="auto">${ask.message}</blockquote>
<p class="from"><span class="face" aria-hidden="true">${initials(from)}</span><b><bdi>${from}</bdi></b></p>!${facts}</article>
!${form(visit, ask, typed, {
    label: words.say('lineLabel', { person: isolate(person) }),
    value: ask.line ?? '',
    most: longestLine,
    hint: words.say('lineHint', { until }),
    button: words.say('lineSave'),
  })}`;
}

function nudgeForm(visit: NoteVisit, ask: Ask, typed: Pressed['typed']): string {
  const { words } = visit;
  const { person, what } = figuresOfAsk(words, ask);
  return form(visit, ask, typed, {
    label: words.say('nudgeLabel', { person: isolate(person) }),
    value: ask.message,
    most: longestShoutout,
    hint: what,
    button: words.say('nudgeGive'),
  });
}

interface Field {
  label: string;
  value: string;
  most: number;
  hint: string;
  button: string;
}

function form({ token, lang }: NoteVisit, ask: Ask, typed: Pressed['typed'], field: Field): string {
  const id = ask.occurrenceId;
  const wrong = typed?.occurrenceId === id ? typed : null;
  const mark = wrong ? ' aria-invalid="true" autofocus' : '';
  const fault = wrong ? html`<p class="fault" id="fault-${id}">${wrong.fault}</p>` : '';
  return html`<form class="panel decide" method="post" action="${noteBase}">!${hidden({ token, lang })}<input type="hidden" name="about" value="${id}">
<label for="text-${id}">${field.label}</label>
<textarea id="text-${id}" name="text" maxlength="${field.most}" dir="auto" aria-describedby="hint-${id}!${wrong ? ` fault-${id}` : ''}"!${mark}>${wrong?.text ?? field.value}</textarea>!${fault}
<p class="small hint" id="hint-${id}">${field.hint}</p>
<button class="button">${field.button}</button>
</form>`;
}
