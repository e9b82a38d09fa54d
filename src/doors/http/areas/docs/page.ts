import { html } from 'ghtml';
import type { DocumentedResource } from './document.ts';
import type { GuidePage } from './guide.ts';
import { icon, wordmark } from './icons.ts';
import { methodMark } from './reference.ts';

/** What every page shows around its own content. */
export interface Site {
  guide: GuidePage[];
  resources: DocumentedResource[];
  version: string;
}

export interface DocsPage {
  /** Its address, for the navigation to show where the reader is. */
  address: string;
  title: string;
  description: string;
  kind: 'overview' | 'guide' | 'reference' | 'missing';
  body: string;
}

/** A whole HTML document. No inline style and no inline script: the content policy allows neither. */
export function writeDocsPage(site: Site, { address, title, description, kind, body }: DocsPage): string {
  return html`<!doctype html>
<html lang="en-CA">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
<title>${title}</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/look.css">
<link rel="stylesheet" href="/docs/docs.css">
<script type="module" src="/docs/docs.js"></script>
</head>
<body class="${kind}">
<a class="skip" href="#content">Skip to the content</a>
<header class="bar"><button type="button" class="button bare" popovertarget="navigation">!${icon('menu')}Menu</button>!${home}</header>
<nav id="navigation" popover aria-label="Documentation">!${home}
<p class="find needs-script"><input id="find" type="search" placeholder="Find a page or operation" aria-label="Find a page or operation"><kbd aria-hidden="true">/</kbd></p>
!${guideLinks(site.guide, address)}!${referenceLinks(site.resources, address)}
<p class="foot"><button type="button" class="button small needs-script" popovertarget="credentials">Set token</button></p>
</nav>
<main id="content" tabindex="-1">!${body}!${footer(site.version)}</main>
!${credentials}
</body>
</html>
`;
}

const home = `<a class="home" href="/docs" aria-label="Giftwire, documentation">${wordmark}<span>docs</span></a>`;

/** The guide on its wire: solid up to the page that is open, dashed after it. */
function guideLinks(pages: GuidePage[], address: string): string {
  const here = pages.findIndex(({ slug }) => address === `/docs/guide/${slug}`);
  const items = pages.map(({ slug, title }, nth) => {
    const state = nth < here ? ' class="done"' : '';
    const current = nth === here ? ' aria-current="page"' : '';
    return html`<li!${state}><a href="/docs/guide/${slug}"!${current}>${title}</a></li>`;
  });
  return html`<p class="group" id="nav-guide">Guide</p><ol class="wire" aria-labelledby="nav-guide">!${items}</ol>`;
}

function referenceLinks(resources: DocumentedResource[], address: string): string {
  const items = resources.map(({ name, slug, operations }) => {
    const page = `/docs/reference/${slug}`;
    const current = address === page ? ' aria-current="page"' : '';
    const inner = operations.map(
      ({ operationId, summary, method }) =>
        html`<li><a href="${page}#${operationId}"><span>${summary}</span>!${methodMark(method)}</a></li>`,
    );
    return html`<li><a href="${page}"!${current}>${name}</a><ul>!${inner}</ul></li>`;
  });
  return html`<p class="group" id="nav-reference">Reference</p><ul class="resources" aria-labelledby="nav-reference">!${items}</ul>`;
}

function footer(version: string): string {
  return html`<footer><span>Giftwire ${version}</span><a href="/openapi.json">OpenAPI 3.1</a><a href="/docs/yaml">YAML</a></footer>`;
}

/** Where the reader gives the token that the forms send. */
const credentials = `<form id="credentials" popover class="card">
<h2>Your token</h2>
<p>The forms on these pages send it to this service, and to nowhere else. This tab forgets it when you close it.</p>
<p><label for="token">Token</label><input id="token" type="password" autocomplete="off" spellcheck="false" placeholder="gw_test_…"></p>
<p><label for="workspace">Workspace</label><input id="workspace" inputmode="numeric" autocomplete="off" value="1"></p>
<p class="send"><button class="button go">Use it</button> <button type="reset" class="button">Forget it</button></p>
</form>`;
