import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import { uuid } from '../contract/schema.ts';
import { invalid } from '../errors.ts';
import { isEmail } from '../values/email.ts';
import { isLanguageRegion } from '../values/language.ts';
import { isText } from '../values/text.ts';
import { amountsFitCurrency } from './amounts-keyword.ts';
import { faultsOf } from './faults.ts';

type Schema = { properties?: Record<string, { type?: unknown; default?: unknown }> };

/**
 * Checks a request against its route's schema: types are exact, and every fault is named. Queries and paths are text, so
 * there plain decimal digits are read as integers, and nothing else is.
 */
export function createValidatorCompiler(
  currencies: readonly string[],
  sharedSchemas: readonly { $id: string }[],
): FastifySchemaCompiler<Schema> {
  const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: true, strictTypes: false, strictRequired: false });
  addFormats.default(ajv, ['date']);
  ajv.addFormat('email', isEmail);
  ajv.addFormat('uuid', uuid);
  ajv.addFormat('text', isText);
  const known = new Set(currencies);
  ajv.addFormat('currency', (code) => known.has(code));
  ajv.addFormat('language-region', isLanguageRegion);
  ajv.addKeyword({ keyword: 'x-amounts-fit-currency', type: 'object', validate: amountsFitCurrency, errors: 'full' });
  for (const schema of sharedSchemas) ajv.addSchema(schema);

  return ({ schema, httpPart }) => {
    const validate = ajv.compile(schema);
    const read = readerOf(schema, httpPart);
    return (data) => {
      const input = read ? read(data) : data;
      if (validate(input)) return { value: httpPart === 'headers' ? data : input };
      return { error: invalid(faultsOf(validate.errors ?? [], httpPart)) };
    };
  };
}

function readerOf(schema: Schema, httpPart: string | undefined): Read | null {
  if (httpPart === 'headers') return headersReader(schema);
  return httpPart === 'querystring' || httpPart === 'params' ? textReader(schema) : null;
}

type Read = (input: Record<string, unknown>) => Record<string, unknown>;

function textReader(schema: Schema): Read {
  const fields = Object.entries(schema.properties ?? {});
  return (query) => {
    const read = { ...query };
    for (const [name, { type, default: fallback }] of fields) {
      const value = query[name];
      if (value === undefined) read[name] = fallback;
      else if (type === 'integer' && typeof value === 'string' && /^\d+$/.test(value)) read[name] = Number(value);
    }
    return read;
  };
}

/** Header names are the same in any case; here they stand as the schema writes them, and so in messages. */
function headersReader(schema: Schema): Read {
  const names = Object.keys(schema.properties ?? {}).map((name) => ({ name, lowerCase: name.toLowerCase() }));
  return (headers) => {
    const read: Record<string, unknown> = {};
    for (const { name, lowerCase } of names) read[name] = headers[lowerCase];
    return read;
  };
}
