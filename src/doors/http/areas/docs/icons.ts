import { bowPath, parcelBowPath, wordDotsPath, wordPath } from '../../drawings.ts';

/** Mark and word. */
export const wordmark = `<svg class="mark" viewBox="0 0 32 26" width="26" height="21" aria-hidden="true"><path d="${bowPath}"/></svg><svg class="word" viewBox="0 0 100 30" width="80" height="24" aria-hidden="true"><path d="${wordPath}"/><path d="${wordDotsPath}" stroke-width="3.4"/></svg>`;

/** The wire with its bow, for a place where there is nothing. */
export const emptyWire =
  '<svg class="empty-wire" viewBox="0 0 168 56" width="168" height="56" aria-hidden="true"><path d="M0 46H60C72 46 79 40 84 32C90 18 102 6 110 11C119 16 112 32 84 32C56 32 49 16 58 11C66 6 78 18 84 32C89 40 96 46 108 46H168"/></svg>';

/** The bow on a parcel. */
export const parcelBow = `<svg class="parcel-bow" viewBox="0 0 228 160" aria-hidden="true"><path d="${parcelBowPath}"/><rect x="105" y="82.5" width="18" height="19" rx="7"/></svg>`;

const paths = {
  menu: 'M3 6h14M3 10h14M3 14h14',
  next: 'm8 5 5 5-5 5',
} as const;

export function icon(name: keyof typeof paths): string {
  return `<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="${paths[name]}"/></svg>`;
}
