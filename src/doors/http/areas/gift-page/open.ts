import { html } from 'ghtml';
import {
  amountOf,
  dayNotice,
  type GiftView,
  giftPage,
  giftQuote,
  lastDay,
  namesOf,
  postForm,
  signature,
} from './gift-view.ts';
import { intro, sealedParcel, wrapping } from './parcel.ts';

/** A gift that waits for its recipient: the parcel for a browser with the script, and the letter. */
export function openPage(view: GiftView, isScripted: boolean): string {
  const { words, gift } = view;
  const body = isScripted ? sealed(view) + letter(view, ' hidden') : letter(view, '');
  return giftPage(view, words.say('pageTitle'), body, { giftMark: `${gift.id}.${gift.edition}` });
}

function sealed(view: GiftView): string {
  const { words, gift } = view;
  const names = namesOf(view);
  const title = words.say(gift.firstName ? 'sealedTitle' : 'sealedTitlePlain', {
    ...names,
    occasion: gift.occasion ?? 'none',
  });
  const whole = `${gift.firstName} ${gift.lastName}`.trim() || words.say('tagYou');
  const tag = html`<p class="tag"><small>${words.say('tagFor')}</small><bdi>${whole}</bdi><small>${words.say('tagFrom', names)}</small></p>`;
  return html`<section class="state sealed">!${intro('', title, words.say(names.sender === names.company ? 'sealedLeadCompany' : 'sealedLead', names))}
!${sealedParcel(tag)}
<button class="button" type="button" data-open>${words.say('openGift')}</button>
<p class="small centre">${words.say('openNote')}</p>
</section>`;
}

function letter(view: GiftView, hiddenMark: string): string {
  const { words, gift } = view;
  const title = words.say('letterTitle', {
    ...namesOf(view),
    amount: amountOf(view),
    occasion: gift.occasion ?? 'none',
  });
  return html`<section class="state open"!${hiddenMark}>
<h1 class="vh" tabindex="-1">${title}</h1>
<div class="stage">
<article class="letter">
<p class="reason"><bdi>${gift.reason}</bdi></p>
!${giftQuote(view)}
!${signature(view)}
<div class="sum"><p><span class="small">${words.say('yourGift')}</span><br><span class="amount">${amountOf(view)}</span></p>!${claimBy(view)}</div>
</article>
!${wrapping}
</div>
<div class="after">
!${postForm(view, '/g/claim', html`<button class="button">${words.say('claimGift')}</button>`)}
<p class="small centre">${words.say('claimNote')}</p>
!${howToCheck(view)}
!${dayNotice(view)}
</div>
</section>`;
}

function claimBy(view: GiftView): string {
  const day = lastDay(view);
  return day === null ? '' : html`<p class="small">${view.words.say('claimBy')}<br>${day}</p>`;
}

function howToCheck(view: GiftView): string {
  const { words, settings, host } = view;
  const names = namesOf(view);
  const ask =
    settings.replyTo === null
      ? words.say('realAsk', names)
      : words.say('realAskMail', { ...names, address: settings.replyTo });
  return html`<details><summary>${words.say('realTitle')}</summary><p class="small">${words.say('realText', { ...names, host })} ${ask}</p></details>`;
}
