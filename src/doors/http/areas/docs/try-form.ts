import { html } from 'ghtml';
import type { Follow, Operation, Parameter } from './document.ts';
import { exampleOf, parameterExample } from './example.ts';

/** The header that the page fills in from the reader's credentials. */
const workspaceHeader = 'X-Workspace-id';

/** A form that sends the operation to this service. The page's script reads it; without a script it is not shown. */
export function tryForm(operation: Operation, follow: Follow): string {
  const { operationId, method, path, parameters = [] } = operation;
  const own = parameters.filter(({ name }) => name !== workspaceHeader);
  const inWorkspace = own.length < parameters.length;
  return html`<details class="try needs-script"><summary>Try it</summary>
<form data-method="${method}" data-path="${path}" data-workspace="${inWorkspace ? workspaceHeader : ''}">
<p class="who"><span class="credential">No token yet.</span> <button type="button" class="button small" popovertarget="credentials">Set token</button></p>
!${own.map((one) => field(operationId, one, follow))}!${bodyField(operation, follow)}
<p class="send"><button class="button go">Send</button> <span>!${consequence(method)}</span></p>
<output hidden></output>
</form></details>`;
}

function field(operationId: string, parameter: Parameter, follow: Follow): string {
  const { name, in: place, required = false } = parameter;
  const id = `${operationId}-${name}`;
  return html`<p><label for="${id}">${name}</label><input id="${id}" name="${name}" data-in="${place}" autocomplete="off" spellcheck="false"
placeholder="${parameterExample(parameter, follow)}"!${required ? ' required' : ''}></p>`;
}

function bodyField({ operationId, requestBody }: Operation, follow: Follow): string {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (!type || !media) return '';
  const text = JSON.stringify(exampleOf(media, follow), null, 2);
  const rows = Math.min(text.split('\n').length, 18);
  return html`<p><label for="${operationId}-body">Body</label><textarea id="${operationId}-body" data-in="body" data-type="${type}"
rows="${rows}" spellcheck="false">${text}</textarea></p>`;
}

function consequence(method: string): string {
  return method === 'GET' ? 'Reads from this service.' : 'Goes to this service. What it does is real.';
}
