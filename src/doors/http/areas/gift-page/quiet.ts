import { html } from 'ghtml';
import type { Words } from '../../../../giving/gifts/words/words.ts';
import { isolate, type PageCompany, writeGiftPage } from './page.ts';
import { bowMark, intro, wireWithBow } from './parcel.ts';

export interface QuietView {
  words: Words;
  company: PageCompany;
  /** The address of the page itself. */
  address: string;
}

/** Asks before the reminders of a gift are stopped: email scanners open every link. */
export function quietPage({ words, company, address }: QuietView): string {
  const title = words.say('quietTitle');
  const lead = words.say('quietLead', { company: isolate(company.name) });
  const body = html`<section class="state">!${intro(wireWithBow, title, lead)}
<form method="post" action="${address}"><button class="button">${words.say('quietButton')}</button></form>
</section>`;
  return writeGiftPage({ words, company, title, body });
}

export function quietDonePage({ words, company }: QuietView): string {
  const title = words.say('quietDoneTitle');
  const body = html`<section class="state">!${intro(bowMark, title, words.say('quietDoneLead'))}</section>`;
  return writeGiftPage({ words, company, title, body });
}
