import { html } from 'ghtml';
import type { ClaimOutcome } from '../../../../giving/gifts/claim.ts';
import { faultLine } from './code-box.ts';
import { whomToAsk } from './ended.ts';
import { type GiftView, giftPage, namesOf, postForm } from './gift-view.ts';
import { bowMark, brokenWire, intro } from './parcel.ts';

const faults = { 'code wrong': 'digitsWrong', 'code over': 'digitsOver', 'no more codes': 'digitsEnough' } as const;

/** The step before the claim of a large gift: six digits that were emailed to the recipient. */
export function digitsPage(view: GiftView, outcome: ClaimOutcome): string {
  const { words } = view;
  const title = words.say('stepTitle');
  const fault = Object.hasOwn(faults, outcome) ? faults[outcome as keyof typeof faults] : null;
  const shown = fault === null ? '' : faultLine('digits-fault', words.say(fault, namesOf(view)));
  const marks = fault === null ? '' : ' aria-invalid="true" aria-describedby="digits-fault"';
  const form = html`<label for="digits">${words.say('digitsLabel')}</label>
<input class="digits" type="text" id="digits" name="digits" required inputmode="numeric" autocomplete="one-time-code" maxlength="9" pattern="[0-9 ]*" autofocus!${marks}>
!${shown}<button class="button">${words.say('claimGift')}</button>`;
  const again = html`<button class="button quiet">${words.say('newDigits')}</button><p class="small centre">${words.say('newDigitsHint')}</p>`;
  const body = html`<section class="state">!${intro(bowMark, title, words.say('stepLead'))}
<div class="panel">!${postForm(view, '/g/claim', form)}</div>
<div class="after">!${postForm(view, '/g/code', again)}</div>
</section>`;
  return giftPage(view, title, body, { isStep: true });
}

/** For a recipient without an email address, and for an installation that sends no email. */
export function noDigitsPage(view: GiftView): string {
  const { words } = view;
  const title = words.say('noMailTitle');
  const body = html`<section class="state">!${intro(brokenWire, title, words.say('noMailLead', namesOf(view)))}
<div class="after">!${whomToAsk(view)}</div>
</section>`;
  return giftPage(view, title, body, { isStep: true });
}
