/** The mark: one line that ties itself into a bow. On a grid of 32 by 26. */
export const bowPath =
  'M4 24C9 23.4 13.4 19.5 16 14C19.4 7 25 1.8 28.6 3.8C32.2 5.9 29.8 14 16 14C2.2 14-.2 5.9 3.4 3.8C7 1.8 12.6 7 16 14C18.6 19.5 23 23.4 28 24';

/** The word Giftwire in the same line, on a grid of 100 by 30. */
export const wordPath =
  'M12.5 11v11.5a5 5 0 0 1-5 5H5M12.5 16.5a5 5.5 0 1 1-10 0 5 5.5 0 0 1 10 0ZM18.5 11v11M32 4.5h-1a4 4 0 0 0-4 4V22M36.5 6v12a4 4 0 0 0 4 4h1M23.5 11h18M46.5 11l3.6 11 4.1-10.5L58.3 22l3.6-11M67.5 11v11M74 11v11M74 16.5c0-3.5 2.4-5.5 6-5.5M84.5 16.5h11a5.5 5.5 0 1 0-1.7 4';

/** The dots of both i, which are drawn with a wider line. */
export const wordDotsPath = 'M18.5 5.7h.01M67.5 5.7h.01';

/** The bow on a parcel, on a grid of 228 by 160. Its knot is at 114, 92. */
export const parcelBowPath =
  'M38 158C68 152 98 126 114 92C136 44 176 4 204 18C232 34 212 92 114 92C16 92-4 34 24 18C52 4 92 44 114 92C130 126 160 152 190 158';

/** The mark in gold on a mulberry square. */
export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="16" fill="#8c2459"/><path transform="translate(10 14.2) scale(1.375)" d="${bowPath}" fill="none" stroke="#f5b544" stroke-width="3.4" stroke-linecap="round"/></svg>`;
