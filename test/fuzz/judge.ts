import { Ajv2020 as Ajv, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type OpenApiDocument, type Operation, resolve } from '../support/openapi.ts';

export interface Received {
  status: number;
  type: string | null;
  text: string;
  /** The header X-Invalid-Fields. */
  invalidFields: string | null;
}

/** What contradicts the document in a response; null if nothing does. */
export type Judge = (operation: Operation, received: Received) => string | null;

/**
 * Compares responses with the document: the status, the media type, and every field of a JSON body. A 5xx is always a problem, and so is a 400 that
 * names fields in its message alone, or in words of a schema.
 */
export function createJudge(document: OpenApiDocument): Judge {
  const ajv = new Ajv({ strict: false, allErrors: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi');
  const compiled = new Map<unknown, ValidateFunction>();
  const validatorOf = (schema: unknown) => {
    const known = compiled.get(schema) ?? ajv.compile(absolute(schema) as object);
    compiled.set(schema, known);
    return known;
  };
  return ({ responses, path }, { status, type, text, invalidFields }) => {
    if (status >= 500) return `${status}: ${text}`;
    const documented = resolve(document, responses[status]);
    if (!documented) return `${status} is not documented: ${text}`;
    if (!documented.content) return text === '' ? null : `${status} is documented without a body: ${text}`;
    const media = type?.split(';')[0]?.trim() ?? '';
    const content = documented.content[media];
    if (!content) return `${status} is not documented as ${media || 'nothing'}: ${text}`;
    if (!/json/.test(media)) return null;
    const validate = validatorOf(content.schema);
    const body = JSON.parse(text) as { message: string };
    if (validate(body as unknown))
      return status === 400 && path.startsWith('/api/') ? wordingOf(body, invalidFields) : null;
    return `${status} has another body than documented: ${ajv.errorsText(validate.errors)}: ${text}`;
  };
}

const namesField =
  /^(?:The input could be invalid: )?(?!The )[\w.[\]-]+ (?:is required|must (?!be given once\.)|is not a (?:field|parameter) )/;
const schemaWords = /must NOT|must match|in anyOf|in oneOf|schema/;

/** What is wrong with how a 400 says it; null if nothing is. */
function wordingOf({ message }: { message: string }, invalidFields: string | null): string | null {
  if (schemaWords.test(message)) return `400 in words of a schema: ${message}`;
  return namesField.test(message) && invalidFields === null ? `400 without X-Invalid-Fields: ${message}` : null;
}

/** References of the document, as seen from a schema outside of it. */
function absolute(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value) => (key === '$ref' ? `openapi${value}` : value));
}
