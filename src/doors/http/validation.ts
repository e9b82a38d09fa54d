import { Ajv2020, type KeywordDefinition, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import { ignoresUnknown } from '../../ground/contract/schema.ts';
import { type Fault, invalid } from '../../ground/errors.ts';
import type { NamedSchema } from './area.ts';
import { createTidier } from './body/tidy.ts';
import { createUnknownFinder, unknownFault } from './body/unknown-fields.ts';
import { type Format, faultsOf } from './errors/faults.ts';

type Schema = { properties?: Record<string, { type?: unknown; default?: unknown }>; required?: string[] };

export interface ValidationOptions {
  schemas: readonly NamedSchema[];
  formats: Readonly<Record<string, Format>>;
  keywords: readonly KeywordDefinition[];
  /** Headers that the area has checked before, so that the schema only documents them. */
  checkedBefore?: readonly string[];
}

/**
 * Checks a request against its route's schema: types are exact, and every fault is named. Queries and paths are text, so
 * plain decimal digits in them are read as integers, true and false as booleans. Bodies are tidied. Nothing else is converted. A
 * field that a body's schema does not have is a fault, unless the schema says `ignoresUnknown`.
 *
 * A schema is compiled when its first request comes: compiling all of them took half of the processor time of a start.
 */
export function createValidatorCompiler(options: ValidationOptions): FastifySchemaCompiler<Schema> {
  const { formats, checkedBefore = [] } = options;
  const ajv = createAjv(options);
  const tidierOf = createTidier(options.schemas);
  const finderOf = createUnknownFinder(options.schemas);
  return ({ schema: written, httpPart }) => {
    const isHeaders = httpPart === 'headers';
    const schema = isHeaders ? without(written, checkedBefore) : written;
    let validate: ValidateFunction | null = null;
    let read: Read | null = null;
    const isStrict = httpPart === 'body' && !(ignoresUnknown in schema);
    const findUnknown = isStrict ? finderOf(schema) : null;
    return (data) => {
      // A file is a string to its sender. What is in it is checked when it is read.
      if (Buffer.isBuffer(data)) return { value: data };
      read ??= httpPart === 'body' ? (tidierOf(schema) as Read) : readerOf(schema, isHeaders);
      const input = read(data);
      // With a value for the headers, Fastify would copy all of them whenever they are read.
      if (input === nothingToCheck) return true;
      validate ??= ajv.compile(schema);
      const unknown = findUnknown === null ? nothingUnknown : findUnknown(data).map(unknownFault);
      if (validate(input) && unknown.length === 0) return isHeaders ? true : { value: input };
      return { error: invalid([...faultsOf(validate.errors ?? [], { httpPart, formats }), ...unknown]) };
    };
  };
}

const nothingUnknown: readonly Fault[] = [];

function without(schema: Schema, names: readonly string[]): Schema {
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name));
  const required = schema.required?.filter((name) => !names.includes(name)) ?? [];
  return { ...schema, properties: Object.fromEntries(properties), required };
}

function createAjv({ schemas, formats, keywords }: ValidationOptions): Ajv2020 {
  const strictness = { strict: true, strictTypes: false, strictRequired: false };
  // Our schemas are not compared with JSON Schema's own on every start: test/http/openapi.test.ts checks the document.
  const ajv = new Ajv2020({ allErrors: true, verbose: true, ...strictness, meta: false, validateSchema: false });
  addFormats.default(ajv, ['date']);
  for (const [name, { fits }] of Object.entries(formats)) ajv.addFormat(name, fits);
  for (const keyword of keywords) ajv.addKeyword(keyword);
  for (const schema of schemas) ajv.addSchema(schema);
  return ajv;
}

function readerOf(schema: Schema, isHeaders: boolean): Read {
  return isHeaders ? headersReader(schema) : textReader(schema);
}

type Read = (input: Record<string, unknown>) => Record<string, unknown>;

/** Read from a request that has none of the headers of a schema in which all are optional. */
const nothingToCheck: Record<string, unknown> = {};

function textReader(schema: Schema): Read {
  const fields = Object.entries(schema.properties ?? {});
  return (query) => {
    const read = { ...query };
    for (const [name, { type, default: fallback }] of fields) {
      const value = query[name];
      if (value === undefined) read[name] = fallback;
      else if (type === 'integer' && typeof value === 'string' && /^\d+$/.test(value)) read[name] = Number(value);
      else if (type === 'number' && typeof value === 'string' && /^\d+(\.\d+)?$/.test(value))
        read[name] = Number(value);
      else if (type === 'boolean' && (value === 'true' || value === 'false')) read[name] = value === 'true';
    }
    return read;
  };
}

/** Header names may come in any case. They are checked as the schema writes them, so that messages use its spelling. */
function headersReader(schema: Schema): Read {
  const names = Object.keys(schema.properties ?? {}).map((name) => ({ name, lowerCase: name.toLowerCase() }));
  const isOptional = (schema.required ?? []).length === 0;
  return (headers) => {
    if (isOptional && names.every(({ lowerCase }) => headers[lowerCase] === undefined)) return nothingToCheck;
    const read: Record<string, unknown> = {};
    for (const { name, lowerCase } of names) read[name] = headers[lowerCase];
    return read;
  };
}
