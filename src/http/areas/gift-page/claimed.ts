import { html } from 'ghtml';
import { longestThanks } from '../../../gifts/thank.ts';
import { amountOf, type GiftView, giftPage, namesOf, postForm, quote } from './gift-view.ts';
import { bowMark, intro } from './parcel.ts';

/** A gift that its recipient has accepted: the code, how to use it, and a note of thanks. */
export function claimedPage(view: GiftView, refusedNote: string | null = null): string {
  const { words, gift } = view;
  const names = namesOf(view);
  const title = words.say(gift.firstName ? 'claimedTitle' : 'claimedTitlePlain', names);
  const thanks = gift.thanks === null ? thanksForm(view, refusedNote) : thanked(view);
  const body = html`<section class="state claimed">!${intro(bowMark, title, words.say('claimedLead'))}
<div class="cols"><div>!${codePanel(view)}</div><div>!${thanks}!${note(view)}</div></div>
</section>`;
  return giftPage(view, title, body);
}

function codePanel(view: GiftView): string {
  const { words, settings, shortToken } = view;
  const use =
    settings.sentence === null
      ? ''
      : html`<div class="use"><h2>${words.say('howToUse')}</h2><p dir="auto">${settings.sentence}</p></div>`;
  return html`<section class="panel">
<p><span class="small">${words.say('yourGift')}</span><br><span class="amount">${amountOf(view)}</span></p>
<p class="small code-label" id="code-label">${words.say('codeLabel')}</p>
<p class="code"><code id="gift-code" aria-labelledby="code-label gift-code">${shortToken}</code><button class="button quiet needs-script" type="button" data-copy="gift-code" data-copied="${words.say('copied')}">${words.say('copy')}</button></p>
!${use}
</section>`;
}

function note(view: GiftView): string {
  if (view.gift.message === '') return '';
  const title = view.words.say('readAgain', namesOf(view));
  return html`<details class="again"><summary>${title}</summary>!${quote(view, 'again')}</details>`;
}

function thanksForm(view: GiftView, refused: string | null): string {
  const { words } = view;
  const names = namesOf(view);
  const fault =
    refused === null
      ? ''
      : html`<p class="fault" id="thanks-fault" role="alert">!${faultIcon}${words.say('thanksFault')}</p>`;
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

export const faultIcon =
  '<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="M10 3 2.500 16.500h15ZM10 8v4M10 14.300v.01"/></svg>';
