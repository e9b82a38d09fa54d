import { html } from 'ghtml';
import type { GiftView } from './gift-view.ts';

/** A code that can be copied, under its label. */
export function codeBox({ words }: Pick<GiftView, 'words'>, id: string, label: string, code: string): string {
  return html`<p class="small code-label" id="${id}-label">${label}</p>
<p class="code"><code id="${id}" aria-labelledby="${id}-label ${id}">${code}</code><button class="button quiet needs-script" type="button" data-copy="${id}" data-copied="${words.say('copied')}">${words.say('copy')}</button></p>`;
}

export function faultLine(id: string, text: string): string {
  return html`<p class="fault" id="${id}" role="alert">!${faultIcon}${text}</p>`;
}

const faultIcon =
  '<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="M10 3 2.500 16.500h15ZM10 8v4M10 14.300v.01"/></svg>';
