import { html } from 'ghtml';
import type { Redemption } from '../../../../ground/contract/redemption.ts';
import { type SpendingOptionKind, spendingKinds } from '../../../../ground/values/spending-kinds.ts';
import type { CodeSecret } from '../../../../spending/code-pools/seal.ts';
import { codeBox } from './code-box.ts';
import { type GiftView, giftPage, namesOf, postForm } from './gift-view.ts';
import { backForm } from './option-page.ts';
import { isolate } from './page.ts';
import { bowMark, intro } from './parcel.ts';
import { optionName } from './spending-options.ts';

/** What the owner has chosen so far, the newest first. */
export function spentPanel(view: GiftView): string {
  const { words, spending } = view;
  if (!spending || spending.redemptions.length === 0) return '';
  const items = spending.redemptions.map((one) => spentItem(view, one));
  return html`<section class="panel" aria-labelledby="spent-title"><h2 id="spent-title">${words.say('spentTitle')}</h2>
<ul class="spent">!${items.join('')}</ul></section>`;
}

function spentItem(view: GiftView, redemption: Redemption): string {
  const { words, settings } = view;
  const amount = words.money(redemption.amount, redemption.currency);
  const day = words.day(new Date(redemption.redeemedAt), settings.timeZone);
  const isBack = redemption.state === 'REVERSED' || redemption.state === 'DECLINED';
  const reference = redemption.reference && html`<span class="small" dir="auto">${redemption.reference}</span>`;
  const note = redemption.note === null ? '' : html`<span class="small note" dir="auto">${redemption.note}</span>`;
  const state = stateText(view, redemption);
  const together = redemption.spendingId === null ? '' : words.say('spentTogether');
  return html`<li><span><b dir="auto">${placeOf(view, redemption)}</b><span class="small">${[day, state, together].filter(Boolean).join(' · ')}</span>!${reference ?? ''}!${note}</span><span class="sum-spent!${isBack ? ' back' : ''}">${amount}</span>!${showForm(view, redemption)}</li>`;
}

function placeOf(view: GiftView, { kind, spendingOptionName: name, retailer }: Redemption): string {
  return retailer ?? optionName(view, { kind, name });
}

function stateText({ words }: GiftView, { state, kind }: Redemption): string {
  if (state === 'REQUESTED') return words.say('spentRequested');
  if (state === 'DECLINED') return words.say('spentDeclined');
  if (state === 'REVERSED') return words.say('spentReversed');
  const { spent } = spendingKinds[kind].texts;
  return spent === null ? '' : words.say(spent);
}

/** A code that several gifts have paid is worth more than the gift of this page, so its recipient reads it where they spent them. */
export function isShownHere({ kind, state, spendingId }: Redemption): boolean {
  return spendingKinds[kind].fulfilledBy === 'code' && state === 'DONE' && spendingId === null;
}

function showForm(view: GiftView, redemption: Redemption): string {
  if (!isShownHere(redemption)) return '';
  const { words } = view;
  const { id, amount, currency, retailer } = redemption;
  const name = words.say('showCodeOf', { retailer: retailer ?? '', amount: words.money(amount, currency) });
  const button = html`<input type="hidden" name="redemption" value="${id}"><button class="button quiet" aria-label="${name}">${words.say('showCode')}</button>`;
  return postForm(view, '/g/reveal', button);
}

/** The code of a shop, for the owner of the gift who asked to see it. */
export function cardPage(
  view: GiftView,
  { retailer, amount, currency }: Redemption,
  card: CodeSecret & { expiresOn: string | null },
): string {
  const { words } = view;
  const title = words.say('cardTitle', { retailer: isolate(retailer ?? '') });
  const pin = card.pin === null ? '' : codeBox(view, 'card-pin', words.say('pinLabel'), card.pin);
  const until =
    card.expiresOn === null
      ? ''
      : html`<p class="small until">${words.say('goodUntil', { day: words.day(new Date(`${card.expiresOn}T12:00:00Z`), 'UTC') })}</p>`;
  const lead = words.say('cardLead', { amount: words.money(amount, currency) });
  const body = html`<section class="state">!${intro(bowMark, title, lead)}
<section class="panel card">!${codeBox(view, 'card-code', words.say('codeLabel'), card.code)}!${pin}!${until}</section>
<div class="after">!${backForm(view)}</div></section>`;
  return giftPage(view, title, body, { isStep: true });
}

type DoneTexts = NonNullable<(typeof spendingKinds)[SpendingOptionKind]['texts']['done']>;

/** What the page says after something was spent, in place of its usual title. */
export function doneTexts(
  view: GiftView,
  { amount, currency }: Redemption,
  { title, lead }: DoneTexts,
): { title: string; lead: string } {
  const { words, spending } = view;
  const left = spending?.left ?? 0;
  const values = { ...namesOf(view), amount: words.money(amount, currency), left: words.money(left, currency) };
  const rest = left > 0 ? words.say('doneLead', values) : words.say('doneAllLead');
  return { title: words.say(title, values), lead: lead === null ? rest : `${words.say(lead)} ${rest}` };
}
