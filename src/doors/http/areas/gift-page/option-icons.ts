import type { SpendingOptionKind, spendingKinds } from '../../../../ground/values/spending-kinds.ts';

const icon = (paths: string) => `<svg class="icon" viewBox="0 0 20 20" aria-hidden="true">${paths}</svg>`;

/** What kinds of spending options look like in the list. */
export const optionIcons: Record<(typeof spendingKinds)[SpendingOptionKind]['icon'], string> = {
  banknote: icon(
    '<rect x="2.500" y="5" width="15" height="10" rx="2"/><circle cx="10" cy="10" r="2.200"/><path d="M5.500 10h.01M14.500 10h.01"/>',
  ),
  card: icon('<path d="M3 8V5.500h14V8a2 2 0 0 0 0 4v2.500H3V12a2 2 0 0 0 0-4ZM12 5.500v9"/>'),
  heart: icon(
    '<path d="M10 16.500C5 13 2.800 10.500 2.800 7.700A3.700 3.700 0 0 1 10 6.300a3.700 3.700 0 0 1 7.200 1.400c0 2.800-2.200 5.300-7.200 8.800Z"/>',
  ),
  shop: icon(
    '<path d="M3.500 8.500v8h13v-8M2.500 8.500 4 3.500h12l1.500 5a2.500 2.500 0 0 1-5 0 2.500 2.500 0 0 1-5 0 2.500 2.500 0 0 1-5 0ZM8 16.500v-4h4v4"/>',
  ),
};

export const chevron = '<svg class="chevron" viewBox="0 0 16 16" aria-hidden="true"><path d="m6 3 5 5-5 5"/></svg>';
