import { html } from 'ghtml';
import { longestThanks } from '../../../../giving/gifts/thank.ts';
import { spendingKinds } from '../../../../ground/values/spending-kinds.ts';
import { codeBox, faultLine } from './code-box.ts';
import { amountOf, dayNotice, type GiftView, giftPage, giftQuote, namesOf, postForm } from './gift-view.ts';
import { bowMark, intro } from './parcel.ts';
import type { SpendingView } from './spending.ts';
import { optionsPanel } from './spending-options.ts';
import { spentPanel } from './spent.ts';

/** What just happened, if the page has to say so. */
interface Happened {
  /** A note of thanks that cannot be taken. */
  refusedNote?: string | null;
  /** In place of the usual title. */
  said?: { title: string; lead: string };
  /** Why something could not be spent. */
  fault?: string;
}

/** A gift that its recipient has accepted: what is left, the spending options, what was spent, the code, and a note of thanks. */
export function claimedPage(view: GiftView, { refusedNote = null, said, fault }: Happened = {}): string {
  const { gift } = view;
  const { title, lead } = said ?? usualTexts(view);
  const thanks = gift.thanks === null ? thanksForm(view, refusedNote) : thanked(view);
  const alarm = fault === undefined ? '' : html`<div class="panel alarm">!${faultLine('spend-fault', fault)}</div>`;
  const body = html`<section class="state claimed">!${intro(bowMark, title, lead)}!${alarm}
<div class="cols"><div>!${balancePanel(view)}!${optionsPanel(view)}</div><div>!${spentPanel(view)}!${thanks}!${note(view)}</div></div>!${dayNotice(view)}
</section>`;
  return giftPage(view, title, body);
}

function usualTexts(view: GiftView): { title: string; lead: string } {
  const { words, gift, spending } = view;
  const title = words.say(gift.firstName ? 'claimedTitle' : 'claimedTitlePlain', namesOf(view));
  return { title, lead: words.say(leadOf(spending)) };
}

function leadOf(spending: SpendingView | null) {
  if (spending === null || (spending.left > 0 && spending.spendingOptions.length === 0)) return 'claimedLead';
  if (spending.left === 0) return 'spentLead';
  return spending.spendingOptions.some(({ allowsParts }) => allowsParts) ? 'spendLead' : 'spendWholeLead';
}

function balancePanel(view: GiftView): string {
  const { words, settings, shortToken, spending } = view;
  const hasTill = spending?.spendingOptions.some(({ kind }) => spendingKinds[kind].fulfilledBy === 'till');
  const use =
    settings.sentence === null
      ? ''
      : html`<div class="use"><h2>${words.say('howToUse')}</h2><p dir="auto">${settings.sentence}</p></div>`;
  return html`<section class="panel">!${balance(view)}
!${codeBox(view, 'gift-code', words.say(hasTill ? 'codeForShops' : 'codeLabel'), shortToken)}
!${use}
</section>`;
}

/** The whole amount while nothing is spent, else what is left of it. */
function balance(view: GiftView): string {
  const { words, gift } = view;
  const left = view.spending?.left ?? gift.amount;
  if (left === gift.amount)
    return html`<p><span class="small">${words.say('yourGift')}</span><br><span class="amount">${amountOf(view)}</span></p>`;
  const shown = words.money(left, gift.currency);
  const percent = Math.round((left / gift.amount) * 100);
  return html`<p class="balance"><span><span class="small">${words.say('leftToSpend')}</span><br><span class="amount">${shown}</span></span><span class="small">${words.say('ofAmount', { amount: amountOf(view) })}</span></p>
<svg class="meter" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect width="${percent}" height="6"/></svg>`;
}

function note(view: GiftView): string {
  if (view.gift.message === '') return '';
  const title = view.words.say('readAgain', namesOf(view));
  return html`<details class="again"><summary>${title}</summary>!${giftQuote(view, 'again')}</details>`;
}

function thanksForm(view: GiftView, refused: string | null): string {
  const { words } = view;
  const names = namesOf(view);
  const fault = refused === null ? '' : faultLine('thanks-fault', words.say('thanksFault'));
  const marks = refused === null ? '' : ' aria-invalid="true" autofocus';
  const form = html`<label for="thanks" class="vh">${words.say('thanksLabel', names)}</label>
<textarea id="thanks" name="thanks" required maxlength="${longestThanks}" dir="auto" placeholder="${words.say('thanksPlaceholder')}" aria-describedby="thanks-hint${refused === null ? '' : ' thanks-fault'}"!${marks}>${refused ?? ''}</textarea>
!${fault}<div class="row"><span class="small" id="thanks-hint">${words.say('thanksHint', names)}</span><button class="button">${words.say('sendNote')}</button></div>`;
  return html`<section class="panel thanks"><h2>${words.say('sayThanks', names)}</h2>!${postForm(view, '/g/thanks', form)}</section>`;
}

function thanked(view: GiftView): string {
  const { words, gift } = view;
  const names = namesOf(view);
  return html`<section class="panel thanks"><h2 tabindex="-1">${words.say('thankedTitle', names)}</h2>
<blockquote class="words" dir="auto">${gift.thanks ?? ''}</blockquote>
<p class="small">${words.say('thankedNote', names)}</p></section>`;
}
