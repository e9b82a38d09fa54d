import { readFileSync } from 'node:fs';
import { favicon } from '../../drawings.ts';
import { createFollow, type OpenApiDocument, resourcesOf } from './document.ts';
import { readGuide } from './guide.ts';
import { guideBody, missingBody, overviewBody } from './overview.ts';
import { type Site, writeDocsPage } from './page.ts';
import { referenceBody } from './reference.ts';

interface File {
  type: string;
  text: string;
}

const asset = (name: string) => readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8');
const page = (text: string): File => ({ type: 'text/html; charset=utf-8', text });

interface Files {
  /** By their address below /docs. */
  found: Map<string, File>;
  /** The page for every other address. */
  missing: File;
}

/** All files of the documentation. */
export function writeFiles(document: OpenApiDocument, scopes: ReadonlyMap<string, string>): Files {
  const site = { guide: readGuide(), resources: resourcesOf(document, scopes), version: document.info.version };
  const found = new Map<string, File>([
    ['', page(overview(site))],
    ...guidePages(site),
    ...referencePages(site, document),
    ['look.css', { type: 'text/css; charset=utf-8', text: asset('look.css') }],
    ['docs.css', { type: 'text/css; charset=utf-8', text: asset('docs.css') }],
    ['docs.js', { type: 'text/javascript; charset=utf-8', text: asset('docs.js') }],
    ['icon.svg', { type: 'image/svg+xml', text: favicon }],
  ]);
  return { found, missing: page(missing(site)) };
}

function overview(site: Site): string {
  const body = overviewBody(site.guide, site.resources);
  const description = 'How to send gifts with Giftwire: guide and API reference.';
  return writeDocsPage(site, { address: '/docs', title: 'Giftwire docs', description, kind: 'overview', body });
}

function guidePages(site: Site): [string, File][] {
  return site.guide.map((one, nth) => {
    const body = guideBody(one, site.guide[nth + 1]);
    const [address, title] = [`/docs/guide/${one.slug}`, `${one.title} · Giftwire docs`];
    return [
      `guide/${one.slug}`,
      page(writeDocsPage(site, { address, title, description: one.summary, kind: 'guide', body })),
    ];
  });
}

function referencePages(site: Site, document: OpenApiDocument): [string, File][] {
  const follow = createFollow(document);
  return site.resources.map((resource) => {
    const { slug, name, description } = resource;
    const [address, title] = [`/docs/reference/${slug}`, `${name} · Giftwire reference`];
    const body = referenceBody(resource, follow);
    return [`reference/${slug}`, page(writeDocsPage(site, { address, title, description, kind: 'reference', body }))];
  });
}

function missing(site: Site): string {
  const description = 'There is no page at this address.';
  return writeDocsPage(site, {
    address: '',
    title: 'No page here · Giftwire docs',
    description,
    kind: 'missing',
    body: missingBody,
  });
}
