import { type BrandColours, darkCard } from '../../gifts/brand.ts';

const families = {
  sans: `'Segoe UI',Roboto,'Noto Sans',Helvetica,Arial,sans-serif`,
  letter: `'Iowan Old Style','Palatino Linotype',Palatino,P052,'Noto Serif',Georgia,serif`,
  mono: `Consolas,Menlo,'Roboto Mono','Courier New',monospace`,
};

function type(family: keyof typeof families) {
  return (weight: number, size: number, line: number) => `font:${weight} ${size}px/${line}px ${families[family]};`;
}

/** Our own words. */
export const sans = type('sans');
/** Words that a person wrote, and titles. */
export const serif = type('letter');
export const mono = type('mono');

export const inks = { strong: '#241720', second: '#5b4b56', third: '#6e5e68' };
const darkInks = { strong: '#f5eef2', second: '#c9bcc4', third: '#a99aa3' };
const dark = { page: '#171116', soft: '#2e2329', line: '#3d3139' };

/** What inline styles cannot say: small screens and dark mode. Everything else is inline, for programs that drop this. */
export function mailStyle({ darkButton, onDarkButton, darkLink }: BrandColours): string {
  return `:root { color-scheme: light dark; supported-color-schemes: light dark; }
body, table, td, p, a { -webkit-text-size-adjust: 100%; -ms-text-size-adjust: 100%; }
table { border-collapse: separate; mso-table-lspace: 0; mso-table-rspace: 0; }
a { text-underline-offset: 2px; }
@media (max-width: 480px) {
  .outer { padding: 16px 10px !important; }
  .pad { padding-left: 24px !important; padding-right: 24px !important; }
  .h1 { font-size: 26px !important; line-height: 32px !important; }
  .words { font-size: 19px !important; line-height: 29px !important; }
  .fact { display: block !important; width: auto !important; padding: 0 0 14px !important; border: 0 !important; }
  .btn-t { width: 100% !important; }
  .btn-a { display: block !important; }
}
@media (prefers-color-scheme: dark) {
  .bg { background-color: ${dark.page} !important; }
  .card { background-color: ${darkCard} !important; }
  .soft { background-color: ${dark.soft} !important; }
  .ink { color: ${darkInks.strong} !important; }
  .ink2 { color: ${darkInks.second} !important; }
  .ink3 { color: ${darkInks.third} !important; }
  .link { color: ${darkLink} !important; }
  .rule { border-color: ${dark.line} !important; }
  .btn-c { background-color: ${darkButton} !important; }
  .btn-a { color: ${onDarkButton} !important; }
  .logo { background-color: #ffffff !important; padding: 6px 10px !important; }
}
[data-ogsc] .ink { color: ${darkInks.strong} !important; }
[data-ogsc] .ink2 { color: ${darkInks.second} !important; }
[data-ogsc] .ink3 { color: ${darkInks.third} !important; }
[data-ogsc] .link { color: ${darkLink} !important; }
[data-ogsb] .bg { background-color: ${dark.page} !important; }
[data-ogsb] .card { background-color: ${darkCard} !important; }
[data-ogsb] .soft { background-color: ${dark.soft} !important; }`;
}
