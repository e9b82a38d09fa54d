/** The mark: one line that ties itself into a bow. */
const bowPath =
  'M4 24C9 23.4 13.4 19.5 16 14C19.4 7 25 1.8 28.6 3.8C32.2 5.9 29.8 14 16 14C2.2 14-.2 5.9 3.4 3.8C7 1.8 12.6 7 16 14C18.6 19.5 23 23.4 28 24';

const wordPath =
  'M12.5 11v11.5a5 5 0 0 1-5 5H5M12.5 16.5a5 5.5 0 1 1-10 0 5 5.5 0 0 1 10 0ZM18.5 11v11M32 4.5h-1a4 4 0 0 0-4 4V22M36.5 6v12a4 4 0 0 0 4 4h1M23.5 11h18M46.5 11l3.6 11 4.1-10.5L58.3 22l3.6-11M67.5 11v11M74 11v11M74 16.5c0-3.5 2.4-5.5 6-5.5M84.5 16.5h11a5.5 5.5 0 1 0-1.7 4';

/** Mark and word. */
export const wordmark = `<svg class="mark" viewBox="0 0 32 26" width="26" height="21" aria-hidden="true"><path d="${bowPath}"/></svg><svg class="word" viewBox="0 0 100 30" width="80" height="24" aria-hidden="true"><path d="${wordPath}"/><path d="M18.5 5.7h.01M67.5 5.7h.01" stroke-width="3.4"/></svg>`;

/** The wire with its bow, for a place where there is nothing. */
export const emptyWire =
  '<svg class="empty-wire" viewBox="0 0 168 56" width="168" height="56" aria-hidden="true"><path d="M0 46H60C72 46 79 40 84 32C90 18 102 6 110 11C119 16 112 32 84 32C56 32 49 16 58 11C66 6 78 18 84 32C89 40 96 46 108 46H168"/></svg>';

/** The bow on a parcel. */
export const parcelBow =
  '<svg class="parcel-bow" viewBox="0 0 228 160" aria-hidden="true"><path d="M38 158C68 152 98 126 114 92C136 44 176 4 204 18C232 34 212 92 114 92C16 92-4 34 24 18C52 4 92 44 114 92C130 126 160 152 190 158"/><rect x="105" y="82.5" width="18" height="19" rx="7"/></svg>';

/** The mark in gold on a mulberry square. */
export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="16" fill="#8c2459"/><path transform="translate(10 14.2) scale(1.375)" d="${bowPath}" fill="none" stroke="#f5b544" stroke-width="3.4" stroke-linecap="round"/></svg>`;

const paths = {
  menu: 'M3 6h14M3 10h14M3 14h14',
  next: 'm8 5 5 5-5 5',
} as const;

export function icon(name: keyof typeof paths): string {
  return `<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="${paths[name]}"/></svg>`;
}
