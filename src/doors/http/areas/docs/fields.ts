import { html } from 'ghtml';
import type { DocumentedSchema, Follow, Parameter } from './document.ts';
import { inlineMarkdown } from './guide.ts';

/** Which fields a caller has to send is worth a word; in an answer all of them are there. */
type Place = 'request' | 'answer';

/** Shows the fields of schemas. A named schema is written out where it comes first on a page; later uses link there. */
export type ShowFields = (schema: DocumentedSchema, place: Place) => string;

export function createShowFields(follow: Follow): ShowFields {
  const shown = new Set<string>();
  const show: ShowFields = (schema, place) => {
    const name = nameOf(schema);
    if (name === null) return listFields(schema, place);
    if (shown.has(name)) return html`<p>See <a href="#schema-${name}">the fields of ${name}</a>.</p>`;
    shown.add(name);
    return html`<div id="schema-${name}">!${listFields(schema, place)}</div>`;
  };
  const listFields: ShowFields = (schema, place) => {
    const { properties = {}, required = [] } = follow(schema);
    const fields = Object.entries(properties).map(([name, field]) => {
      const inner = innerOf(field, follow);
      const more = inner && html`<details><summary>Fields of ${name}</summary>!${show(inner, place)}</details>`;
      return fieldRow(name, field, place === 'request' && required.includes(name), follow, more ?? '');
    });
    return html`<ul class="fields">!${fields}</ul>`;
  };
  return show;
}

/** The parameters of a request, shown as fields are. */
export function showParameters(parameters: Parameter[], follow: Follow): string {
  const rows = parameters.map(({ name, required = false, description, schema }) =>
    fieldRow(name, { ...follow(schema), ...(description && { description }) }, required, follow, ''),
  );
  return html`<ul class="fields">!${rows}</ul>`;
}

function fieldRow(name: string, field: DocumentedSchema, required: boolean, follow: Follow, more: string): string {
  const own = { ...follow(field), ...(field.description && { description: field.description }) };
  const facts = limitsOf(own);
  return html`<li><p class="field"><code>${name}</code> <span class="type">${typeOf(field, follow)}</span>
!${required ? '<span class="required">required</span>' : ''}</p>
!${own.description ? `<p>${inlineMarkdown(own.description)}</p>` : ''}
!${facts === '' ? '' : html`<p class="limits">${facts}</p>`}!${more}</li>`;
}

function nameOf({ $ref }: DocumentedSchema): string | null {
  return $ref?.split('/').at(-1) ?? null;
}

/** The object inside a field that has fields of its own: the field itself, an array's element or one of its choices. */
function innerOf(field: DocumentedSchema, follow: Follow): DocumentedSchema | null {
  const own = follow(field);
  if (own.properties) return field;
  if (own.items) return innerOf(own.items, follow);
  const choice = (own.anyOf ?? own.oneOf)?.find((one) => follow(one).type !== 'null');
  return choice ? innerOf(choice, follow) : null;
}

function typeOf(field: DocumentedSchema, follow: Follow): string {
  const own = follow(field);
  if (own.enum) return own.enum.map(String).join(' or ');
  if (own.const !== undefined) return String(own.const);
  if (own.items) return `array of ${typeOf(own.items, follow)}s`;
  const choices = own.anyOf ?? own.oneOf;
  if (choices && !own.type) return choices.map((one) => typeOf(one, follow)).join(' or ');
  const types = [own.type ?? 'any value'].flat().join(' or ');
  const format = own.format && formats[own.format];
  return format ? types.replace('string', format) : types;
}

const formats: Record<string, string> = {
  uuid: 'UUID',
  email: 'email address',
  date: 'date (YYYY-MM-DD)',
  'date-time': 'time (ISO 8601)',
  uri: 'address',
};

const figure = new Intl.NumberFormat('en-CA');

function limitsOf(schema: DocumentedSchema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, default: usual } = schema;
  const facts = [
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' entries'),
    usual === undefined ? '' : `default ${JSON.stringify(usual)}`,
  ];
  return facts.filter((fact) => fact !== '').join(', ');
}

function range(least: number | undefined, given: number | undefined, unit: string): string {
  const most = given === Number.MAX_SAFE_INTEGER ? undefined : given;
  if (least !== undefined && most !== undefined) return `${figure.format(least)} to ${figure.format(most)}${unit}`;
  if (most !== undefined) return `up to ${figure.format(most)}${unit}`;
  return least === undefined ? '' : `${figure.format(least)} or more${unit}`;
}
