import { html } from 'ghtml';
import { spendingKinds } from '../../../../ground/values/spending-kinds.ts';
import { type GiftView, namesOf, postForm } from './gift-view.ts';
import { chevron, optionIcons } from './option-icons.ts';
import type { GiftOption } from './spending.ts';

/** The list of spending options. Each opens a page. */
export function optionsPanel(view: GiftView): string {
  const { words, spending } = view;
  if (!spending || spending.spendingOptions.length === 0) return '';
  const items = spending.spendingOptions.map(
    (option) => html`<li>!${postForm(view, '/g/option', optionButton(view, option))}</li>`,
  );
  return html`<section class="panel" aria-labelledby="options-title"><h2 id="options-title">${words.say('optionsTitle')}</h2>
<ul class="options">!${items.join('')}</ul></section>`;
}

function optionButton(view: GiftView, option: GiftOption): string {
  return html`<button class="option" name="option" value="${option.id}"><span class="face">!${optionIcons[spendingKinds[option.kind].icon]}</span><span><b dir="auto">${optionName(view, option)}</b><span class="small" dir="auto">${summary(view, option)}</span></span>!${chevron}</button>`;
}

/** What the company calls the spending option. Payroll that was not renamed is named in the reader's language. */
export function optionName(
  { words }: Pick<GiftView, 'words'>,
  { kind, name }: Pick<GiftOption, 'kind' | 'name'>,
): string {
  const { only } = spendingKinds[kind];
  return only?.name === name ? words.say(only.text) : name;
}

/** What else the list says about a spending option: the company's own words, else ours. */
function summary(view: GiftView, option: GiftOption): string {
  const text = textsOf(option).summary;
  if (text === null && !hasCodes(option)) return view.words.say('noCodes');
  if (option.description !== '') return option.description;
  if (text !== null) return view.words.say(text, namesOf(view));
  return [...new Set(option.codes.filter(({ left }) => left > 0).map(({ retailer }) => retailer))].join(', ');
}

/** Which texts describe the option. */
export function textsOf({ kind, link }: GiftOption) {
  const { texts } = spendingKinds[kind];
  return (link !== null && texts.linked) || texts;
}

export function hasCodes({ codes }: GiftOption): boolean {
  return codes.some(({ left }) => left > 0);
}
