import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { brandColours } from '../../../../giving/gifts/brand.ts';
import { Failure } from '../../../../ground/errors.ts';
import { favicon } from '../../drawings.ts';

interface Asset {
  type: string;
  text: Buffer;
  /** Its name has a hash of its text, so that browsers can keep it without asking again. */
  name: string;
}

export const keptForGood = 'public, max-age=31536000, immutable';
const keptForADay = 'public, max-age=86400';

const read = (name: string) => readFileSync(new URL(`assets/${name}`, import.meta.url));
const types = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

const files = {
  style: asset(
    'gift',
    'css',
    Buffer.concat([Buffer.from(colourSheet(null)), read('base.css'), read('parcel.css'), read('gift.css')]),
  ),
  script: asset('gift', 'js', read('gift.js')),
  icon: asset('icon', 'svg', Buffer.from(favicon)),
};

/** The addresses of the files that every page uses. */
export const addresses = {
  style: `/g/asset/${files.style.name}`,
  script: `/g/asset/${files.script.name}`,
  icon: `/g/asset/${files.icon.name}`,
};

function asset(stem: string, ending: keyof typeof types, text: Buffer): Asset {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return { type: types[ending], text, name: `${stem}-${hash}.${ending}` };
}

/** The address of the style sheet that sets a company's colour, #RRGGBB. */
export function colourAddress(colour: string): string {
  return `/g/colour/${colour.slice(1).toUpperCase()}.css`;
}

export function serveAssets(app: FastifyInstance): void {
  const byName = new Map(Object.values(files).map((file) => [file.name, file]));
  app.get<{ Params: { name: string } }>('/asset/:name', { schema: { hide: true } }, (request, reply) => {
    const file = byName.get(request.params.name);
    if (!file) throw nothingHere();
    return reply.type(file.type).header('Cache-Control', keptForGood).send(file.text);
  });
  app.get<{ Params: { name: string } }>('/colour/:name', { schema: { hide: true } }, (request, reply) => {
    const [, digits] = /^([0-9A-F]{6})\.css$/.exec(request.params.name) ?? [];
    if (!digits) throw nothingHere();
    return reply
      .type(types.css)
      .header('Cache-Control', keptForADay)
      .send(colourSheet(`#${digits}`));
  });
}

/** The colours that follow a company's own, null: Giftwire's. All else derives from them in base.css. */
function colourSheet(colour: string | null): string {
  const { brand, onBrand, wire, link, darkButton, onDarkButton, darkLink } = brandColours(colour);
  return `:root { --brand: ${brand}; --on-brand: ${onBrand}; --ribbon: ${wire}; --button: ${brand}; --on-button: ${onBrand}; --accent: ${link}; }
@media (prefers-color-scheme: dark) {
  :root { --button: ${darkButton}; --on-button: ${onDarkButton}; --accent: ${darkLink}; }
}
`;
}

export function nothingHere(): Failure {
  return new Failure('missing', 'This path does not exist.');
}
