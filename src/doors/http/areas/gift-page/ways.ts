import { html } from 'ghtml';
import { payrollByDefault } from '../../../../spending/redemptions/ways.ts';
import { type GiftView, namesOf, postForm } from './gift-view.ts';
import type { WayToSpend } from './spending.ts';
import { chevron, wayIcons } from './way-icons.ts';

/** The list of ways. Each leads to a page of its own. */
export function waysPanel(view: GiftView): string {
  const { words, spending } = view;
  if (!spending || spending.ways.length === 0) return '';
  const items = spending.ways.map((way) => html`<li>!${postForm(view, '/g/way', wayButton(view, way))}</li>`);
  return html`<section class="panel" aria-labelledby="ways-title"><h2 id="ways-title">${words.say('waysTitle')}</h2>
<ul class="ways">!${items.join('')}</ul></section>`;
}

function wayButton(view: GiftView, way: WayToSpend): string {
  return html`<button class="way" name="way" value="${way.id}"><span class="face">!${wayIcons[way.kind]}</span><span><b dir="auto">${wayName(view, way)}</b><span class="small" dir="auto">${summary(view, way)}</span></span>!${chevron}</button>`;
}

/** What the company calls the way. Payroll that nobody has set is named in the reader's language. */
export function wayName({ words }: Pick<GiftView, 'words'>, { kind, name }: Pick<WayToSpend, 'kind' | 'name'>): string {
  return kind === 'PAYROLL' && name === payrollByDefault.name ? words.say('payrollName') : name;
}

/** What else the list says about a way: the company's own words, else ours. */
function summary(view: GiftView, way: WayToSpend): string {
  if (way.kind === 'POOL' && !hasCodes(way)) return view.words.say('noCodes');
  if (way.description !== '') return way.description;
  return usualSummary(view, way);
}

function usualSummary(view: GiftView, { kind, link, codes }: WayToSpend): string {
  const { words } = view;
  switch (kind) {
    case 'PAYROLL':
      return words.say('payrollText', namesOf(view));
    case 'POOL':
      return [...new Set(codes.filter(({ left }) => left > 0).map(({ retailer }) => retailer))].join(', ');
    case 'HAND':
      return words.say('handText', namesOf(view));
    case 'TILL':
      return words.say(link === null ? 'tillText' : 'shopText');
  }
}

export function hasCodes({ codes }: WayToSpend): boolean {
  return codes.some(({ left }) => left > 0);
}
