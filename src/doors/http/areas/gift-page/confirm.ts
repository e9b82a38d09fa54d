import { randomUUID } from 'node:crypto';
import { html } from 'ghtml';
import { sumOf } from '../../../../ground/values/money.ts';
import type { SpendingOptionKind, spendingKinds } from '../../../../ground/values/spending-kinds.ts';
import type { Choice } from '../../../../spending/redemptions/spend.ts';
import { type GiftView, giftPage, namesOf, postForm } from './gift-view.ts';
import { backForm } from './option-page.ts';
import { isolate } from './page.ts';
import { intro } from './parcel.ts';
import type { GiftOption } from './spending.ts';
import { optionName } from './spending-options.ts';

type Question = NonNullable<(typeof spendingKinds)[SpendingOptionKind]['texts']['confirm']>;

/**
 * The second step of spending: says what happens, and asks. Its form has a key of its own, so that pressing the button twice, or
 * sending the page again, spends once.
 */
export function confirmPage(
  view: GiftView,
  option: GiftOption,
  choice: Choice,
  { title, lead, yes }: Question,
): string {
  const { words, gift, spending } = view;
  const amount = words.money(choice.amount, gift.currency);
  const left = words.money(sumOf([spending?.left ?? 0, -choice.amount]), gift.currency);
  const values = {
    ...namesOf(view),
    amount,
    retailer: isolate(choice.retailer ?? ''),
    option: isolate(optionName(view, option)),
  };
  const requestText = choice.requestText
    ? html`<blockquote class="words" dir="auto">${choice.requestText}</blockquote>`
    : '';
  const fields = {
    option: option.id,
    amount: String(choice.amount),
    retailer: choice.retailer,
    requestText: choice.requestText,
  };
  const body = html`<section class="state">!${intro('', words.say(title, values), words.say(lead, values))}
<section class="panel step">!${requestText}<p class="small">${words.say('leftAfter', { left })}</p>
!${postForm(view, '/g/spend', html`!${inputs({ ...fields, key: randomUUID() })}<button class="button">${words.say(yes, values)}</button>`)}</section>
<div class="after">!${backForm(view)}</div></section>`;
  return giftPage(view, words.say(title, values), body, { isStep: true });
}

function inputs(fields: Record<string, string | undefined>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value ?? ''}">`).join('');
}
