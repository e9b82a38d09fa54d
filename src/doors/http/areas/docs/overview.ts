import { html } from 'ghtml';
import { codeBlock } from './code.ts';
import type { DocumentedResource } from './document.ts';
import type { GuidePage } from './guide.ts';
import { emptyWire, icon, parcelBow } from './icons.ts';

const order = `{
  "currency": "CAD",
  "orderItems": [{
    "amount": 75,
    "message": "Thank you for the calmest launch I have seen.",
    "recipient": { "email": "amara.okafor@example.com" }
  }]
}`;

/** The first page: a request goes along the wire and arrives as a gift. */
export function overviewBody(guide: GuidePage[], resources: DocumentedResource[]): string {
  return html`<header class="hero"><h1>One request in.<br>A thousand gifts out.</h1>
<p class="lead">Your payroll, HR system or chat bot sends an order. Giftwire stores it before it answers, issues the gifts in the background, and never issues one twice.</p>
<p class="actions"><a class="button go" href="/docs/guide/first-gift">Send your first gift</a><a class="button" href="#reference">Browse the reference</a></p></header>
!${scene}
!${promises}
<section aria-labelledby="guide"><h2 id="guide">Guide</h2><ul class="list">!${guide.map(guideRow)}</ul></section>
<section aria-labelledby="reference"><h2 id="reference">Reference</h2><ul class="list">!${resources.map(resourceRow)}</ul></section>`;
}

const scene = html`<div class="scene">
!${codeBlock({ title: 'POST /api/v1/orders', language: 'json', text: order })}
<div class="parcel" role="img" aria-label="A gift, tied with the wire that the request came along. The tag says: for Amara Okafor, from Demo.">
<i class="tie across"></i><i class="tie down"></i>!${parcelBow}
<p class="tag"><small>for</small>Amara Okafor<small>from Demo</small></p></div>
</div>`;

const promises = html`<dl class="promises">
<div><dt>Stored, then answered</dt><dd>A 201 means that the order is committed to the database.</dd></div>
<div><dt>Safe to repeat</dt><dd>All submissions with one <code>Idempotency-Key</code> create one order.</dd></div>
<div><dt>Exact</dt><dd>Nothing is coerced or rounded. A 400 names every wrong field.</dd></div>
</dl>`;

function guideRow({ slug, title, summary }: GuidePage): string {
  return html`<li><a href="/docs/guide/${slug}"><b>${title}</b><span>${summary}</span>!${icon('next')}</a></li>`;
}

function resourceRow({ slug, name, description, operations }: DocumentedResource): string {
  const count = `${operations.length} operations`;
  return html`<li><a href="/docs/reference/${slug}"><b>${name}</b><span>${description} <small>${count}</small></span>!${icon('next')}</a></li>`;
}

/** A guide page with its sections beside it and the way to the next page. */
export function guideBody({ body, sections }: GuidePage, next: GuidePage | undefined): string {
  const links = sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`);
  const onward =
    next &&
    html`<p class="onward"><a href="/docs/guide/${next.slug}"><small>Next</small><b>${next.title}</b>!${icon('next')}</a></p>`;
  return html`<div class="columns"><article class="prose">!${body}!${onward ?? ''}</article>
<aside aria-label="On this page"><h2>On this page</h2><ul>!${links}</ul></aside></div>`;
}

export const missingBody = html`<div class="empty">!${emptyWire}<h1>No page here</h1>
<p>The address may have a typing error, or the page has moved.</p>
<p><a class="button" href="/docs">Go to the first page</a></p></div>`;
