import type { ErrorObject } from 'ajv/dist/2020.js';
import { printable, words } from '../../../ground/contract/schema.ts';
import type { Fault } from '../../../ground/errors.ts';
import { tooLong } from '../../../ground/values/text.ts';
import { hintFor } from '../body/unknown-fields.ts';

/** A format that schemas can name, and what is said about text of another. */
export interface Format {
  fits: (text: string) => boolean;
  problem: string;
}

interface Checked {
  httpPart: string | undefined;
  formats: Readonly<Record<string, Format>>;
}

/** Turns the results of the check into messages: every invalid path, with one problem each. */
export function faultsOf(found: readonly ErrorObject[], checked: Checked): Fault[] {
  const errors = found.filter(({ schemaPath }) => !schemaPath.includes('/anyOf/')).filter(isNoSummary);
  const faults = new Map<string, string>();
  for (const error of errors) {
    const path = pathOf(error);
    if (!faults.has(path)) faults.set(path, problemOf(error, checked));
  }
  // A list that is too long is one fault. Its thousands of elements are not named.
  for (const error of errors)
    if (error.keyword === 'maxItems')
      for (const path of faults.keys()) if (path.startsWith(`${pathOf(error)}[`)) faults.delete(path);
  return [...faults].map(([path, problem]) => ({ path, problem }));
}

/** Where a value may have several forms, what is wrong inside of it says more than that it has none of them, unless the schema has words for that. */
function isNoSummary(error: ErrorObject, _nth: number, errors: readonly ErrorObject[]): boolean {
  const { keyword, instancePath } = error;
  return (
    keyword !== 'anyOf' ||
    ownWords(error) !== undefined ||
    !errors.some((one) => one.keyword !== 'anyOf' && one.instancePath.startsWith(instancePath))
  );
}

function pathOf({ instancePath, keyword, params }: ErrorObject): string {
  const steps = instancePath.split('/').slice(1);
  if (keyword === 'required') steps.push(params.missingProperty);
  if (keyword === 'additionalProperties') steps.push(params.additionalProperty);
  if (steps.length === 0) return 'The body';
  return steps.map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}

/** The schema's own words for this keyword, else the usual ones. */
function problemOf(error: ErrorObject, checked: Checked): string {
  return ownWords(error) ?? usualProblem(error, checked);
}

function ownWords({ parentSchema, keyword }: ErrorObject): string | undefined {
  return (parentSchema as { [words]?: Record<string, string> } | undefined)?.[words]?.[keyword];
}

function usualProblem({ keyword, params, message, parentSchema, data }: ErrorObject, checked: Checked): string {
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return `is not a parameter of this list: ${hintFor(params.additionalProperty, Object.keys(parentSchema?.properties ?? {}))}`;
    case 'type':
      if (data === Number.POSITIVE_INFINITY || Number.isNaN(data)) return 'must be a number with fewer digits';
      return checked.httpPart === 'querystring' && Array.isArray(data)
        ? 'must be given once'
        : typeProblem([params.type].flat());
    case 'format':
      return checked.formats[params.format as string]?.problem ?? `must be a ${params.format}`;
    case 'minLength':
      return 'must not be empty';
    case 'maxLength':
      return tooLong(params.limit as number);
    case 'pattern':
      return patternProblem(parentSchema);
    case 'minItems':
    case 'maxItems':
      return `must have ${parentSchema?.minItems ?? 0} to ${parentSchema?.maxItems} elements`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
      return rangeProblem(parentSchema);
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
    case 'uniqueItems':
      return 'must not have an element twice';
    case 'anyOf':
      return 'has none of the forms that are accepted';
    default:
      return message ?? 'is not valid';
  }
}

function patternProblem({ pattern, examples }: ErrorObject['parentSchema'] = {}): string {
  if (pattern === printable) return 'must be printable characters';
  return examples ? `must look like ${examples[0]}` : 'does not have the form that the documentation says';
}

function rangeProblem({ minimum, exclusiveMinimum, maximum }: ErrorObject['parentSchema'] = {}): string {
  if (exclusiveMinimum === undefined) return `must be from ${minimum} to ${maximum}`;
  return `must be more than ${exclusiveMinimum}${maximum === undefined ? '' : ` and at most ${maximum}`}`;
}

const nouns: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number in plain digits',
  boolean: 'true or false',
  array: 'an array',
  object: 'a JSON object',
};

function typeProblem(types: string[]): string {
  return `must be ${nouns[types.find((type) => type !== 'null') ?? ''] ?? types.join(' or ')}`;
}
