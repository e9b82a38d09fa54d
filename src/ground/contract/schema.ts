import Type, { type Static, type TProperties, type TSchema } from 'typebox';

/** A pattern: no control characters. */
export const printable = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/** A person of the demo company, so that the examples of requests work there. */
export const examplePerson = {
  email: 'grace.kowalski@example.com',
  employeeNumber: '1007',
  firstName: 'Grace',
  lastName: 'Kowalski',
  avatar: 'https://example.com/people/grace.kowalski.jpg',
};

/** Gives a schema its name in the OpenAPI document. TypeBox drops `$id` from the type, so it is declared here. */
export function named<Id extends string, S extends TSchema>($id: Id, schema: S): S & { $id: Id } {
  return Object.assign(schema, { $id });
}

/** A reference to a named schema. */
export function ref<S extends TSchema & { $id: string }>(schema: S, options: { description?: string } = {}) {
  return Type.Unsafe<Static<S>>({ $ref: `${schema.$id}#`, ...options });
}

export function nullable<T>(type: 'string' | 'integer', options: Record<string, unknown> = {}) {
  return Type.Unsafe<T | null>({ type: [type, 'null'], ...options });
}

export function nullableRef<S extends TSchema & { $id: string }>(schema: S, options: Record<string, unknown> = {}) {
  return Type.Unsafe<Static<S> | null>({ anyOf: [ref(schema), { type: 'null' }], ...options });
}

/** A field under its former name, which stays beside its name of today until its sunset. */
export function formerName<S extends TSchema>(schema: S, name: string): S {
  return { ...schema, deprecated: true, description: `Deprecated: use \`${name}\` instead.` };
}

const idBounds = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

/** The id or the number of a record that a caller names. */
export function anId(description: string, example?: number) {
  return Type.Integer({ ...idBounds, description, ...(example !== undefined && { examples: [example] }) });
}

/** The same where null stands for none. */
export function nullableId(description: string, example: number | null) {
  return nullable<number>('integer', { ...idBounds, description, examples: [example] });
}

export function aMoment(description: string, example?: string) {
  return Type.String({ format: 'date-time', description, ...(example !== undefined && { examples: [example] }) });
}

export function aMomentOrNull(description: string, example?: string | null) {
  const examples = example !== undefined && { examples: [example] };
  return nullable<string>('string', { format: 'date-time', description, ...examples });
}

/** One of these texts. Type.Enum alone leaves the type out of the OpenAPI document. */
export function oneOf<Values extends string[]>(values: readonly [...Values], options: Record<string, unknown> = {}) {
  return Type.Enum(values, { type: 'string', ...options });
}

/** A filter by time: a day in the workspace's time zone, or a moment. */
export function dayOrMoment(description: string) {
  return Type.Optional(Type.String({ format: 'day-or-moment', description }));
}

/**
 * The query of an operation. Callers may leave every parameter out: the check of a request fills the defaults in, so handlers
 * always have a value where there is a default, and the type says so.
 */
export function query<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { required: [] });
}

/**
 * The query of a list that is not part of the interface: an unknown parameter gives 400, because a list with a misspelt filter
 * would show all people. The interface's operations ignore unknown parameters, as its clients expect.
 */
export function strictQuery<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { required: [], additionalProperties: false });
}

/** The query of an operation that takes no parameters. */
export const noQuery = strictQuery({});

/**
 * The key of a schema's own words for what is wrong with a value, by keyword: `{ [words]: { minItems: '…' } }`. It is a symbol, so
 * that the OpenAPI document does not show it.
 */
export const words = Symbol('words');

/** The key of a string that is trimmed although it is not a text (`format: 'text'`), for instance an address that a person types. */
export const trims = Symbol('trims');

/** The key of an object in which null is a value, for instance to clear a field. Elsewhere null in an optional field counts as absent. */
export const keepsNull = Symbol('keepsNull');

/** The key of a reference to the schema of a body whose unknown fields are ignored. All other bodies reject them. */
export const ignoresUnknown = Symbol('ignoresUnknown');
