import { html } from 'ghtml';
import { bowPath } from '../../drawings.ts';

/** The company as its employees' pages show it before anyone has signed in. */
export interface MyCompany {
  name: string;
  /** Of its name, for the icon. */
  initials: string;
  colour: string;
  onColour: string;
  /** The address of the style sheet with the colours that follow from its own. */
  style: string;
  /** The address of its logo; null: its name stands there. */
  logo: string | null;
}

/** The page as the app finds it: with the company in attributes, because the content policy allows no inline script. */
export function companyPage(page: string, address: string, company: MyCompany | null, style: string): string {
  const root = company ? html`<div id="root" data-company="${company.name}" data-logo="${company.logo ?? ''}">` : null;
  const head = html`<title>${company?.name ?? 'Giftwire'}</title>
    <link rel="icon" href="${address}/icon.svg" type="image/svg+xml" />
    <link rel="manifest" href="${address}/manifest.webmanifest" />
    <link rel="stylesheet" href="${company?.style ?? style}" />
  </head>`;
  return page
    .replace(/<title>.*<\/title>/, '')
    .replace('</head>', () => head)
    .replace('<div id="root">', (plain) => root ?? plain);
}

/** What a phone needs to put the app on its home screen. */
export function manifestOf(address: string, company: MyCompany | null): string {
  const name = company?.name ?? 'Giftwire';
  return JSON.stringify({
    id: address,
    name,
    short_name: name,
    start_url: address,
    scope: '/my',
    display: 'standalone',
    background_color: '#fbf9fa',
    theme_color: '#fbf9fa',
    icons: [{ src: `${address}/icon.svg`, sizes: 'any', type: 'image/svg+xml', purpose: 'any' }],
  });
}

/** The initials of the company on its colour; without a company the mark in gold on mulberry. */
export function iconOf(company: MyCompany | null): string {
  const { colour, onColour, initials } = company ?? { colour: '#8C2459', onColour: '#F5B544', initials: '' };
  const drawn =
    initials === ''
      ? html`<path transform="translate(10 14.2) scale(1.375)" d="${bowPath}" fill="none" stroke="${onColour}" stroke-width="3.4" stroke-linecap="round"/>`
      : html`<text x="32" y="32" dy=".36em" text-anchor="middle" font-family="system-ui, sans-serif" font-weight="650" font-size="${initials.length > 1 ? 27 : 34}" fill="${onColour}">${initials}</text>`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="16" fill="${colour}"/>!${drawn}</svg>`;
}
