import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Fault } from '../errors.ts';

/** Says what the check found in words: one problem for each path, all paths. */
export function faultsOf(found: readonly ErrorObject[], httpPart: string | undefined): Fault[] {
  const errors = found.filter(({ schemaPath }) => !schemaPath.includes('/anyOf/'));
  const faults = new Map<string, string>();
  for (const error of errors) {
    const path = pathOf(error);
    if (!faults.has(path)) faults.set(path, problemOf(error, httpPart));
  }
  // What is wrong with a list as a whole is said once, not again for each of its thousands of elements.
  if (errors.some(({ keyword }) => keyword === 'maxItems'))
    for (const path of faults.keys()) if (path.startsWith('orderItems[')) faults.delete(path);
  return [...faults].map(([path, problem]) => ({ path, problem }));
}

function pathOf({ instancePath, keyword, params }: ErrorObject): string {
  const steps = instancePath.split('/').slice(1);
  if (keyword === 'required') steps.push(params.missingProperty);
  if (keyword === 'additionalProperties') steps.push(params.additionalProperty);
  if (steps.length === 0) return 'The body';
  return steps.map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}

const formats: Record<string, string> = {
  text: 'must be text without NUL or broken characters',
  email: 'must be an e-mail address',
  uuid: 'must be a UUID',
  currency: 'must be a current ISO 4217 currency code, as CAD',
  'language-region': 'must be a language and a region, as EN_CA',
};

function problemOf(
  { keyword, params, message, parentSchema, data }: ErrorObject,
  httpPart: string | undefined,
): string {
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'is not a parameter of this list';
    case 'type':
      if (data === Number.POSITIVE_INFINITY || Number.isNaN(data)) return 'must be a number with fewer digits';
      return httpPart === 'querystring' && Array.isArray(data)
        ? 'must be given once'
        : typeProblem([params.type].flat());
    case 'format':
      return formats[params.format as string] ?? `must be a ${params.format}`;
    case 'minLength':
      return 'must not be empty';
    case 'maxLength':
      return `must have at most ${params.limit} characters`;
    case 'pattern':
      return 'must be printable characters';
    case 'minItems':
    case 'maxItems':
      return 'must have 1 to 1000 gifts';
    case 'minimum':
    case 'maximum':
      return `must be from ${parentSchema?.minimum} to ${parentSchema?.maximum}`;
    case 'anyOf':
      return 'must have an email or an employeeNumber';
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
    default:
      return message ?? 'is not valid';
  }
}

const nouns: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number in plain digits',
  array: 'an array',
  object: 'a JSON object',
};

function typeProblem(types: string[]): string {
  return `must be ${nouns[types.find((type) => type !== 'null') ?? ''] ?? types.join(' or ')}`;
}
