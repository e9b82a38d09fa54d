import { STATUS_CODES } from 'node:http';
import { html } from 'ghtml';
import { codeBlock } from './code.ts';
import { curlOf } from './curl.ts';
import type { DocumentedResource, Follow, Operation } from './document.ts';
import { exampleOf } from './example.ts';
import { createShowFields, type ShowFields, showParameters } from './fields.ts';
import { inlineMarkdown } from './guide.ts';
import { tryForm } from './try-form.ts';

/** The page of one resource: its operations, each with its input, its answers and an example. */
export function referenceBody({ name, description, operations }: DocumentedResource, follow: Follow): string {
  const show = createShowFields(follow);
  return html`<header class="intro"><h1>${name}</h1><p class="lead">!${inlineMarkdown(description)}</p></header>
!${operations.map((operation) => section(operation, follow, show))}`;
}

function section(operation: Operation, follow: Follow, show: ShowFields): string {
  const { operationId, summary, description = '', method, path, scope } = operation;
  return html`<section class="operation" id="${operationId}" aria-labelledby="${operationId}-title">
<div class="words">
<h2 id="${operationId}-title"><a class="anchor" href="#${operationId}">${summary}</a></h2>
<p class="address">!${methodMark(method)}<code>!${breakable(path)}</code></p>
<p>!${inlineMarkdown(description)}</p>
<p class="scope">!${scopeText(scope)}</p>
!${input(operation, follow, show)}!${answer(operation, follow, show)}!${errors(operation, follow)}
</div>
<div class="samples">!${samples(operation, follow)}!${tryForm(operation, follow)}</div>
</section>`;
}

function scopeText(scope: string): string {
  if (scope === 'self') return 'Any token may call it.';
  return html`A token needs the scope <code>${scope}</code>.`;
}

export function methodMark(method: string): string {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** A path may break after each slash on a narrow screen. */
function breakable(path: string): string {
  return html`${path}`.replaceAll('/', '/<wbr>');
}

const places = { path: 'In the path', query: 'In the query', header: 'Headers' } as const;

function input({ parameters = [], requestBody }: Operation, follow: Follow, show: ShowFields): string {
  const lists = Object.entries(places).map(([place, title]) => {
    const here = parameters.filter((one) => one.in === place);
    return here.length === 0 ? '' : html`<h3>${title}</h3>!${showParameters(here, follow)}`;
  });
  const schema = Object.values(requestBody?.content ?? {})[0]?.schema;
  const title = requestBody?.required === false ? 'Body, may be left out' : 'Body';
  return html`!${lists}!${schema ? `<h3>${title}</h3>${show(schema, 'request')}` : ''}`;
}

function answer({ responses }: Operation, follow: Follow, show: ShowFields): string {
  const good = Object.entries(responses).filter(([status]) => status < '400');
  return good
    .map(([status, { description, content, headers = {} }]) => {
      const schema = content?.['application/json']?.schema ?? Object.values(content ?? {})[0]?.schema;
      const named = Object.entries(headers).map(
        ([name, header]) => html`<li><p class="field"><code>${name}</code> <span class="type">header</span></p>
<p>!${inlineMarkdown(follow(header).description ?? '')}</p></li>`,
      );
      return html`<h3>Answer ${status}</h3><p>!${inlineMarkdown(description)}</p>
!${named.length > 0 ? `<ul class="fields">${named.join('')}</ul>` : ''}!${schema ? show(schema, 'answer') : ''}`;
    })
    .join('');
}

function errors({ responses }: Operation, follow: Follow): string {
  const bad = Object.entries(responses).filter(([status]) => status >= '400');
  const rows = bad.map(
    ([status, { description }]) =>
      html`<tr><th scope="row">${status}</th><td>!${inlineMarkdown(follow(description))}</td></tr>`,
  );
  return html`<details class="errors"><summary>Errors: ${bad.map(([status]) => status).join(', ')}</summary>
<table><tbody>!${rows}</tbody></table>
<p><a href="/docs/guide/errors">What to do about each</a></p></details>`;
}

function samples(operation: Operation, follow: Follow): string {
  const request = codeBlock({ title: 'Request', language: 'sh', text: curlOf(operation, follow) });
  const [status = '', good] = Object.entries(operation.responses).find(([one]) => one < '300') ?? [];
  const media = good?.content?.['application/json'] ?? Object.values(good?.content ?? {})[0];
  const title = `${status} ${STATUS_CODES[status] ?? ''}`;
  const example = media && exampleOf(media, follow);
  // A document whose form another standard defines has no example of its own.
  const text = JSON.stringify(example, null, 2);
  if (example === undefined) return request + codeBlock({ title, language: 'http', text: 'No body.', isAnswer: true });
  return request + codeBlock({ title, language: 'json', text: text === '{}' ? '{ … }' : text, isAnswer: true });
}
