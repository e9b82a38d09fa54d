import type { Filter } from 'scim2-parse-filter';
import { beginningOf, isText, plainText } from '../../ground/values/text.ts';
import { invalidFilter } from './parse-filter.ts';

/** Adds a value to the statement's parameters, and returns its placeholder. */
export type AddParameter = (value: unknown) => string;

/** How an attribute is compared: an SQL expression and its type. */
export interface Comparable {
  sql: string;
  /** `text` compares in any case, `exact` does not; `reference` supports only eq, ne and pr. */
  type: 'text' | 'exact' | 'reference' | 'boolean' | 'time';
  /** The condition for eq, where an index helps or there are several values. */
  equals?: (value: string, parameter: AddParameter) => string;
  /** Wraps a condition so that it holds for one of several values. */
  among?: (condition: string) => string;
}

/** An attribute that only other resource types have: in a search of all types it is absent here. */
const absent: Comparable = { sql: 'null::text', type: 'text' };

/** For a search of several resource types: the filter may name attributes of any of them. */
export function beside(own: Filterable, other: Filterable): Filterable {
  const absentees = Object.fromEntries(Object.keys(other.attributes).map((name) => [name, absent]));
  return {
    schemaIds: [...own.schemaIds, ...other.schemaIds],
    attributes: { ...absentees, ...own.attributes },
  };
}

/** The attributes that a filter may name, in lower case; for multi-valued attributes, their sub-attributes. */
export interface Filterable {
  schemaIds: readonly string[];
  attributes: Readonly<Record<string, Comparable>>;
}

/**
 * A filter as an SQL condition. Only text from this code gets into the SQL: values are parameters. Null is false; negations
 * use `is not true` to keep it so.
 */
export function filterSql(filter: Filter, filterable: Filterable, parameter: AddParameter, prefix = ''): string {
  const nested = (one: Filter) => filterSql(one, filterable, parameter, prefix);
  switch (filter.op) {
    case 'and':
    case 'or':
      return `(${filter.filters.map(nested).join(` ${filter.op} `)})`;
    case 'not':
      return `(${nested(filter.filter)}) is not true`;
    case '[]': {
      const owner = nameOf(filter.attrPath, filterable);
      const { among } = find(owner, filterable);
      if (among) return ofOneValue(filter.valFilter, filterable, parameter, owner, among);
      const inner = filterSql(filter.valFilter, filterable, parameter, `${owner}.`);
      return `(${presenceOf(find(owner, filterable))} and ${inner})`;
    }
    case 'pr':
      return presenceOf(find(prefix + nameOf(filter.attrPath, filterable), filterable));
    default:
      return compare(
        find(prefix + nameOf(filter.attrPath, filterable), filterable),
        filter.op,
        filter.compValue,
        parameter,
      );
  }
}

/** A condition that one of several values fulfils alone. What it must be equal to is a condition too, because that has an index. */
function ofOneValue(
  filter: Filter,
  filterable: Filterable,
  parameter: AddParameter,
  owner: string,
  among: (condition: string) => string,
): string {
  const parts = Object.entries(filterable.attributes).filter(([name]) => name.startsWith(`${owner}.`));
  const alone = Object.fromEntries(
    parts.map(([name, one]) => [name, one.type === 'reference' ? one : { sql: one.sql, type: one.type }]),
  );
  const condition = filterSql(filter, { ...filterable, attributes: alone }, parameter, `${owner}.`);
  const equal = equalities(filter).map((one) => filterSql(one, filterable, parameter, `${owner}.`));
  return `(${[...equal, among(condition)].join(' and ')})`;
}

/** The comparisons by eq that a value must fulfil in any case. */
function equalities(filter: Filter): Filter[] {
  if (filter.op === 'and') return filter.filters.flatMap(equalities);
  return filter.op === 'eq' && typeof filter.compValue === 'string' ? [filter] : [];
}

function nameOf(path: string, { schemaIds }: Filterable): string {
  const name = path.toLowerCase();
  const schema = schemaIds.find((id) => name.startsWith(`${id.toLowerCase()}:`));
  return schema ? name.slice(schema.length + 1) : name;
}

function find(name: string, { attributes }: Filterable): Comparable {
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  if (!attribute) throw invalidFilter(`There is nothing to filter by under the name ${shorten(name)}`);
  return attribute;
}

function presenceOf(attribute: Comparable): string {
  const { sql, type } = attribute;
  const isOfText = type === 'text' || type === 'exact';
  return oneOf(attribute, isOfText ? `nullif(${sql}, '') is not null` : `${sql} is not null`);
}

type Comparison = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'lt' | 'ge' | 'le';

function compare(
  attribute: Comparable,
  op: Comparison,
  value: boolean | null | number | string,
  parameter: AddParameter,
): string {
  if (value === null) {
    if (op !== 'eq' && op !== 'ne') throw invalidFilter(`Nothing is ${op} null`);
    return `(${presenceOf(attribute)}) is ${op === 'eq' ? 'not ' : ''}true`;
  }
  if (op === 'ne') return `(${compare(attribute, 'eq', value, parameter)}) is not true`;
  switch (attribute.type) {
    case 'boolean':
      return oneOf(attribute, `${attribute.sql} = ${parameter(readBoolean(op, value))}::boolean`);
    case 'time':
      return `${attribute.sql} ${symbolOf(op)} ${parameter(readTime(value))}::timestamptz`;
    case 'reference':
      if (op !== 'eq' || !attribute.equals) throw invalidFilter(`${op} does not compare references: eq and ne do`);
      return attribute.equals(readText(value), parameter);
    default:
      return compareForms(attribute, op, readText(value), parameter);
  }
}

/** Names and groups are stored in their plain form, and identifiers as they were sent: a text is compared in both forms. */
function compareForms(attribute: Comparable, op: Comparison, value: string, parameter: AddParameter): string {
  const forms = [...new Set([value, plainText(value)])];
  return `(${forms.map((form) => compareTexts(attribute, op, form, parameter)).join(' or ')})`;
}

function compareTexts(attribute: Comparable, op: Comparison, value: string, parameter: AddParameter): string {
  const { equals } = attribute;
  if (op === 'eq' && equals) return equals(value, parameter);
  return oneOf(attribute, compareOneText(attribute, op, value, parameter));
}

function oneOf({ among }: Comparable, condition: string): string {
  return among ? among(condition) : condition;
}

function compareOneText({ sql, type }: Comparable, op: Comparison, value: string, parameter: AddParameter): string {
  const fold = (text: string) => (type === 'text' ? `lower(${text})` : text);
  const [left, right] = [fold(sql), fold(`${parameter(value)}::text`)];
  switch (op) {
    case 'eq':
      return `${left} = ${right}`;
    case 'co':
      return `strpos(${left}, ${right}) > 0`;
    case 'sw':
      return `starts_with(${left}, ${right})`;
    case 'ew':
      return `right(${left}, length(${right})) = ${right}`;
    default:
      return `${left} collate "C" ${symbolOf(op)} ${right} collate "C"`;
  }
}

const symbols: Partial<Record<Comparison, string>> = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' };

function symbolOf(op: Comparison): string {
  const symbol = symbols[op];
  if (symbol === undefined) throw invalidFilter(`${op} compares texts only`);
  return symbol;
}

function readBoolean(op: Comparison, value: unknown): boolean {
  const text = String(value).toLowerCase();
  if (op !== 'eq' || (text !== 'true' && text !== 'false'))
    throw invalidFilter('A boolean is compared with true or false by eq or ne');
  return text === 'true';
}

function readTime(value: unknown): Date {
  // PostgreSQL can hold every year of four digits.
  const time = new Date(typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? value : Number.NaN);
  if (Number.isNaN(time.getTime())) throw invalidFilter('A time is compared with one such as "2026-01-31T12:00:00Z"');
  return time;
}

function readText(value: boolean | number | string): string {
  const text = String(value);
  if (!isText(text)) throw invalidFilter('The filter has a text with NUL or broken characters');
  return text;
}

function shorten(name: string): string {
  return beginningOf(name, 100);
}
