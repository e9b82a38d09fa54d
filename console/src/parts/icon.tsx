/** All icons, on a grid of 20 with a line of 1.6. */
const drawings = {
  home: 'm3 9.5 7-6 7 6V16a1 1 0 0 1-1 1h-4v-5H8v5H4a1 1 0 0 1-1-1Z',
  plane: 'M17 3 9 11M17 3l-5 14-3-6-6-3Z',
  rows: 'M3 5h14M3 10h14M3 15h8M15 13v5M12.5 15.5h5',
  gift: 'M3.5 10v7h13v-7M2.5 6.5h15V10h-15ZM10 6.5V17M10 6.5C8 2 4.5 2.5 5 5c.3 1.3 2.5 1.5 5 1.5Zm0 0C12 2 15.5 2.5 15 5c-.3 1.3-2.5 1.5-5 1.5Z',
  people:
    'M10.5 7a3 3 0 1 1-6 0 3 3 0 0 1 6 0ZM2 17c0-3.5 2.3-5.5 5.5-5.5S13 13.5 13 17M13 4.3a3 3 0 0 1 0 5.4M15 12c2 .8 3 2.6 3 5',
  person: 'M13 7a3 3 0 1 1-6 0 3 3 0 0 1 6 0ZM4 17c0-3.5 2.5-5.5 6-5.5s6 2 6 5.5',
  heart: 'M10 16.5C5 13 2.8 10.5 2.8 7.7A3.7 3.7 0 0 1 10 6.3a3.7 3.7 0 0 1 7.2 1.4c0 2.8-2.2 5.3-7.2 8.8Z',
  coin: 'M4.5 5h11a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2h-11a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2ZM12.2 10a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 0 1 4.4 0Z',
  chart: 'M3 3v14h14M6.5 13l3-4 3 2 4-6',
  plug: 'M7 2.5v4M13 2.5v4M5 6.5h10V10a5 5 0 0 1-10 0ZM10 15v3',
  gear: 'M3 6h8M15 6h2M3 14h2M9 14h8M15 6a2 2 0 1 1-4 0 2 2 0 0 1 4 0ZM9 14a2 2 0 1 1-4 0 2 2 0 0 1 4 0Z',
  find: 'M14.5 9a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0ZM13.2 13.2l3.8 3.8',
  menu: 'M3 6h14M3 10h14M3 14h14',
  down: 'm6 8 4 4 4-4',
  right: 'm8 6 4 4-4 4',
  left: 'm12 6-4 4 4 4',
  warn: 'M10 3 2.5 16.5h15ZM10 8.5v3.5M10 14.3h.01',
  calendar:
    'M4 4.5h12a1 1 0 0 1 1 1V16a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V5.5a1 1 0 0 1 1-1ZM3 8.5h14M6.5 2.5v3.5M13.5 2.5v3.5',
  clock: 'M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0ZM10 6v4l2.5 2',
  pause: 'M7 5v10M13 5v10',
  approve: 'M4 3.5h12a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1ZM6.5 10.2l2.4 2.4 4.6-5.2',
  up: 'm6 12 4-4 4 4',
  ring: 'M16.5 10a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0Z',
  ok: 'm4 10.5 4 4 8-9',
  no: 'M16.5 10a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0ZM5.5 14.5l9-9',
  at: 'M13 10a3 3 0 1 1-6 0 3 3 0 0 1 6 0ZM13 7v4.5a2 2 0 0 0 4-.5v-1a7 7 0 1 0-3 5.7',
  pen: 'm4 16 .8-3.5L13 4.3l2.7 2.7-8.2 8.2Z',
  eye: 'M2 10c2-3.7 4.7-5.5 8-5.5s6 1.8 8 5.5c-2 3.7-4.7 5.5-8 5.5S4 13.7 2 10ZM12.3 10a2.3 2.3 0 1 1-4.6 0 2.3 2.3 0 0 1 4.6 0Z',
  bell: 'M5 14V9a5 5 0 0 1 10 0v5l1.5 1h-13ZM8.5 17.3h3',
  close: 'm5 5 10 10M15 5 5 15',
  plus: 'M10 4v12M4 10h12',
  minus: 'M4 10h12',
  copy: 'M7 7V4.5a1 1 0 0 1 1-1h7.5a1 1 0 0 1 1 1V12a1 1 0 0 1-1 1H13M4.5 7H12a1 1 0 0 1 1 1v7.5a1 1 0 0 1-1 1H4.5a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1Z',
  download: 'M10 3v9.5M6 9l4 4 4-4M3.5 16.5h13',
  upload: 'M10 13V3.5M6 7l4-4 4 4M3.5 16.5h13',
  print:
    'M6 7V3h8v4M6 13H4a1.5 1.5 0 0 1-1.5-1.5v-3A1.5 1.5 0 0 1 4 7h12a1.5 1.5 0 0 1 1.5 1.5v3A1.5 1.5 0 0 1 16 13h-2M6 11h8v6H6Z',
  filter: 'M3 5h14M6 10h8M8.5 15h3',
  key: 'M9.5 8a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0ZM9 10l8 0M14 10v3M17 10v2.5',
  mail: 'M3 5h14v10H3ZM3.5 5.5l6.5 5.5 6.5-5.5',
  shield: 'M10 2.5l6 2v5c0 4-2.5 6.5-6 8-3.5-1.5-6-4-6-8v-5Z',
  book: 'M4 4h5a1.5 1.5 0 0 1 1.5 1.5V17A1.5 1.5 0 0 0 9 15.5H4ZM17 4h-5a1.5 1.5 0 0 0-1.5 1.5M17 4v11.5h-5a1.5 1.5 0 0 0-1.5 1.5',
  repeat: 'M4 9a6 6 0 0 1 10.5-3.5L16.5 8M16.5 4v4h-4M16 11a6 6 0 0 1-10.5 3.5L3.5 12M3.5 16v-4h4',
  shop: 'M3.5 8.5v8h13v-8M2.5 8.5 4 3.5h12l1.5 5a2.5 2.5 0 0 1-5 0 2.5 2.5 0 0 1-5 0 2.5 2.5 0 0 1-5 0ZM8 16.5v-4h4v4',
  card: 'M3 8V5.5h14V8a2 2 0 0 0 0 4v2.5H3V12a2 2 0 0 0 0-4ZM12 5.5v9',
  talk: 'M3 5.5A1.5 1.5 0 0 1 4.5 4h11A1.5 1.5 0 0 1 17 5.5v7a1.5 1.5 0 0 1-1.5 1.5H9l-4 3v-3h-.5A1.5 1.5 0 0 1 3 12.5Z',
  smile: 'M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0ZM7 11.5c.7 1.3 1.7 2 3 2s2.3-.7 3-2M7.5 8h.01M12.5 8h.01',
  spark: 'M10 2.5v4M10 13.5v4M2.5 10h4M13.5 10h4M4.7 4.7l2.6 2.6M12.7 12.7l2.6 2.6M15.3 4.7l-2.6 2.6M7.3 12.7l-2.6 2.6',
  lock: 'M5 9h10v7.5H5ZM7 9V6.5a3 3 0 0 1 6 0V9',
  back: 'm12 5-5 5 5 5',
  next: 'm8 5 5 5-5 5',
  dots: 'M4.5 10h.01M10 10h.01M15.5 10h.01',
  out: 'M12 6V4H4v12h8v-2M8.5 10H17M14 7l3 3-3 3',
  sun: 'M13 10a3 3 0 1 1-6 0 3 3 0 0 1 6 0ZM10 2.5v1.5M10 16v1.5M2.5 10H4M16 10h1.5M4.7 4.7l1 1M14.3 14.3l1 1M4.7 15.3l1-1M14.3 5.7l1-1',
  moon: 'M16 12.5A6.5 6.5 0 0 1 7.5 4 6.5 6.5 0 1 0 16 12.5Z',
  palette:
    'M10 3a7 7 0 1 0 0 14c1.5 0 1.5-1.5 1-2.3-.5-1 0-2.2 1.5-2.2H15a2 2 0 0 0 2-2A7.2 7.2 0 0 0 10 3ZM6.5 9h.01M9 6.3h.01M12.5 6.8h.01',
  auto: 'M16 8a6.5 6.5 0 0 0-12-1M4 3.5V7h3.5M4 12a6.5 6.5 0 0 0 12 1M16 16.5V13h-3.5',
  cake: 'M3.5 17v-5.5h13V17M5.5 11.5V8.5h9v3M10 8.5V6M10 3.5v.01M3.5 14.3c1.1 1 2.2 1 3.2 0 1.1 1 2.2 1 3.3 0 1.1 1 2.2 1 3.3 0 1 1 2.1 1 3.2 0',
  flag: 'M5 17V3.5h9l-2 3 2 3H5',
  undo: 'M4 8h8a4 4 0 0 1 0 8H8M7 5 4 8l3 3',
} as const;

export type IconName = keyof typeof drawings | 'bow' | 'half';

const bowPath =
  'M4 24C9 23.4 13.4 19.5 16 14C19.4 7 25 1.8 28.6 3.8C32.2 5.9 29.8 14 16 14C2.2 14-.2 5.9 3.4 3.8C7 1.8 12.6 7 16 14C18.6 19.5 23 23.4 28 24';

/** An icon stands beside a word, so it has no name of its own. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  const isBow = name === 'bow';
  return (
    <svg
      width={size}
      height={size}
      viewBox={isBow ? '0 -3 32 32' : '0 0 20 20'}
      fill="none"
      stroke="currentColor"
      strokeWidth={isBow ? 3 : 1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {name === 'half' && <path d="M10 3.5a6.5 6.5 0 0 1 0 13Z" fill="currentColor" />}
      <path d={isBow ? bowPath : drawings[name === 'half' ? 'ring' : name]} />
    </svg>
  );
}

/** The mark and the word, in one line. */
export function Wordmark() {
  const line = { fill: 'none', stroke: 'currentColor', strokeLinecap: 'round', strokeLinejoin: 'round' } as const;
  return (
    <>
      <svg
        width="26"
        height="21"
        viewBox="0 0 32 26"
        {...line}
        strokeWidth="3"
        color="var(--brand-text)"
        aria-hidden="true"
      >
        <path d={bowPath} />
      </svg>
      <svg
        width="80"
        height="24"
        viewBox="0 0 100 30"
        {...line}
        strokeWidth="2.7"
        color="var(--ink)"
        aria-hidden="true"
      >
        <path d="M12.5 11v11.5a5 5 0 0 1-5 5H5M12.5 16.5a5 5.5 0 1 1-10 0 5 5.5 0 0 1 10 0ZM18.5 11v11M32 4.5h-1a4 4 0 0 0-4 4V22M36.5 6v12a4 4 0 0 0 4 4h1M23.5 11h18M46.5 11l3.6 11 4.1-10.5L58.3 22l3.6-11M67.5 11v11M74 11v11M74 16.5c0-3.5 2.4-5.5 6-5.5M84.5 16.5h11a5.5 5.5 0 1 0-1.7 4" />
        <path d="M18.5 5.7h.01M67.5 5.7h.01" strokeWidth="3.4" />
      </svg>
    </>
  );
}

/** The wire that ties itself into a bow: the drawing of empty places. */
export function WireBow() {
  return (
    <svg
      width="168"
      height="56"
      viewBox="0 0 168 56"
      fill="none"
      stroke="var(--ribbon)"
      strokeWidth="3"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M0 46H60C72 46 79 40 84 32C90 18 102 6 110 11C119 16 112 32 84 32C56 32 49 16 58 11C66 6 78 18 84 32C89 40 96 46 108 46H168" />
    </svg>
  );
}
