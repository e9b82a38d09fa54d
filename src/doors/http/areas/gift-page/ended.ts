import { html } from 'ghtml';
import { amountOf, type GiftView, giftPage, giftQuote, lastDay, namesOf, signature } from './gift-view.ts';
import { brokenWire, intro } from './parcel.ts';

/** A gift that was not claimed in time. The thanks are still there, and the page says whom to ask. */
export function expiredPage(view: GiftView): string {
  const { words } = view;
  const names = namesOf(view);
  const title = words.say('expiredTitle', { day: lastDay(view) ?? '' });
  const body = html`<section class="state">!${intro('', title, words.say('expiredLead', names))}
<article class="letter">!${giftQuote(view, 'first')}!${signature(view)}
<div class="sum"><p><span class="small">${words.say('notClaimed')}</span><br><span class="amount past">${amountOf(view)}</span></p></div>
</article>
<div class="after">!${whomToAsk(view)}</div>
</section>`;
  return giftPage(view, title, body);
}

export function cancelledPage(view: GiftView): string {
  const { words, settings } = view;
  const names = namesOf(view);
  const title = words.say('cancelledTitle', names);
  // The lead says whom to ask already, unless the company has an address for it.
  const after = settings.replyTo === null ? '' : html`<div class="after">!${whomToAsk(view)}</div>`;
  const body = html`<section class="state">!${intro(brokenWire, title, words.say('cancelledLead', names))}
!${after}
</section>`;
  return giftPage(view, title, body);
}

export function whomToAsk(view: GiftView): string {
  const { words, settings } = view;
  const names = namesOf(view);
  if (settings.replyTo === null) return html`<p class="small centre">${words.say('askSender', names)}</p>`;
  const address = encodeURIComponent(settings.replyTo).replaceAll('%40', '@');
  const link = `mailto:${address}?subject=${encodeURIComponent(words.say('askSubject'))}`;
  return html`<a class="button" href="${link}">${words.say('askCompany', names)}</a>
<p class="small centre">${words.say('askHint', { address: settings.replyTo })}</p>`;
}
