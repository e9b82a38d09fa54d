import { html } from 'ghtml';
import type { PoolStock } from '../../../../ground/contract/pool.ts';
import { spendingKinds } from '../../../../ground/values/spending-kinds.ts';
import { codeBox, faultLine } from './code-box.ts';
import { type GiftView, giftPage, namesOf, postForm } from './gift-view.ts';
import { intro } from './parcel.ts';
import type { GiftOption } from './spending.ts';
import { hasCodes, optionName, textsOf } from './spending-options.ts';

export const longestRequest = 200;

/** What the recipient typed, if it cannot be read. */
export interface RefusedChoice {
  amount: string;
  requestText: string;
  fault: 'amountFault' | 'requestFault';
}

/** The first step of spending: how much, which code, or where to show the gift's own code. */
export function optionPage(view: GiftView, option: GiftOption, refused: RefusedChoice | null = null): string {
  const title = optionName(view, option);
  const body = html`<section class="state">!${intro('', title, leadOf(view, option))}!${stepOf(view, option, refused)}
<div class="after">!${backForm(view)}</div></section>`;
  return giftPage(view, title, body, { isStep: true });
}

export function backForm(view: GiftView): string {
  return postForm(view, '/g', html`<button class="button quiet">${view.words.say('back')}</button>`);
}

function leadOf(view: GiftView, option: GiftOption): string {
  return option.description || view.words.say(textsOf(option).lead, namesOf(view));
}

function stepOf(view: GiftView, option: GiftOption, refused: RefusedChoice | null): string {
  const { fulfilledBy } = spendingKinds[option.kind];
  if (fulfilledBy === 'till') return tillStep(view, option);
  if (fulfilledBy === 'code') return poolStep(view, option);
  return amountStep(view, option, fulfilledBy === 'colleague' ? requestField(view, refused) : '', refused);
}

function tillStep(view: GiftView, { link }: GiftOption): string {
  const { words, shortToken } = view;
  // The shop learns the code from the address, as the company wants; where the visitor came from it does not learn.
  const shop =
    link === null
      ? ''
      : html`<a class="button" href="${link.replaceAll('{code}', encodeURIComponent(shortToken))}" rel="noreferrer noopener">${words.say('goToShop')}</a>`;
  return html`<section class="panel step">!${codeBox(view, 'gift-code', words.say('codeForShops'), shortToken)}!${shop}</section>`;
}

function poolStep(view: GiftView, option: GiftOption): string {
  const { words } = view;
  if (!hasCodes(option)) return html`<section class="panel"><p>${words.say('noCodes')}</p></section>`;
  const shops = [...Map.groupBy(option.codes, ({ retailer }) => retailer)].map(
    ([retailer, codes]) =>
      html`<section class="panel"><h2 dir="auto">${retailer}</h2><ul class="cards">!${codes.map((code) => card(view, option, code)).join('')}</ul></section>`,
  );
  return html`<div class="shops">!${shops.join('')}</div>`;
}

function card(view: GiftView, { id }: GiftOption, { retailer, value, left }: PoolStock): string {
  const { words, gift } = view;
  const amount = words.money(value, gift.currency);
  if (left === 0)
    return html`<li class="none"><span>${amount}</span> <span class="small">${words.say('noneLeft')}</span></li>`;
  const name = words.say('codeChoice', { retailer, amount });
  const fields = html`<input type="hidden" name="option" value="${id}"><input type="hidden" name="retailer" value="${retailer}"><input type="hidden" name="amount" value="${value}"><button class="button quiet" aria-label="${name}">${amount}</button>`;
  return html`<li>!${postForm(view, '/g/confirm', fields)}</li>`;
}

function amountStep(view: GiftView, option: GiftOption, request: string, refused: RefusedChoice | null): string {
  const { words } = view;
  const inner = html`<input type="hidden" name="option" value="${option.id}">!${amountField(view, option, refused)}!${request}<button class="button">${words.say('goOn')}</button>`;
  return html`<section class="panel step">!${postForm(view, '/g/confirm', inner)}</section>`;
}

function amountField(view: GiftView, option: GiftOption, refused: RefusedChoice | null): string {
  const { words, gift } = view;
  const money = (amount: number) => words.money(amount, gift.currency);
  const [least, most] = [money(option.least), money(option.most)];
  if (option.least === option.most)
    return html`<p class="whole">${words.say('wholeAmount', { amount: most })}</p><input type="hidden" name="amount" value="${option.most}">`;
  const isWrong = refused?.fault === 'amountFault';
  const below = isWrong
    ? faultLine('amount-fault', words.say('amountFault', { least, most }))
    : html`<p class="small hint" id="amount-hint">${words.say('amountHint', { least, most })}</p>`;
  const marks = isWrong ? ' aria-invalid="true" autofocus' : '';
  return html`<label for="amount">${words.say('howMuch')} (${gift.currency})</label>
<input type="text" id="amount" name="amount" required inputmode="decimal" autocomplete="off" maxlength="12" value="${refused?.amount ?? String(option.most)}" aria-describedby="${isWrong ? 'amount-fault' : 'amount-hint'}"!${marks}>
!${below}`;
}

function requestField(view: GiftView, refused: RefusedChoice | null): string {
  const { words } = view;
  const isWrong = refused?.fault === 'requestFault';
  const fault = isWrong ? faultLine('request-fault', words.say('requestFault')) : '';
  const marks = isWrong ? ' aria-invalid="true" autofocus' : '';
  return html`<label for="request">${words.say('requestLabel')}</label>
<input type="text" id="request" name="requestText" maxlength="${longestRequest}" autocomplete="off" dir="auto" value="${refused?.requestText ?? ''}" aria-describedby="request-hint${isWrong ? ' request-fault' : ''}"!${marks}>
!${fault}<p class="small hint" id="request-hint">${words.say('requestHint', namesOf(view))}</p>`;
}
