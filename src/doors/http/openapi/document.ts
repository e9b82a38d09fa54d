import { isDeepStrictEqual } from 'node:util';
import { closeBodies } from './closed-bodies.ts';
import { describeWebhooks } from './webhooks.ts';

interface Parameter {
  name: string;
  in: string;
  schema?: { deprecated?: boolean };
  deprecated?: boolean;
  $ref?: string;
}

interface Response {
  content?: Record<string, { schema: { $ref?: string } }>;
  $ref?: string;
}

interface Operation {
  operationId?: string;
  parameters?: Parameter[];
  requestBody?: { required: boolean };
  responses: Record<string, Response>;
}

interface Document {
  paths?: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, object>;
  components?: { schemas?: Record<string, Schema> };
}

interface Schema {
  $ref?: string;
  description?: string;
  properties?: Record<string, Schema>;
}

/** The ids of operations whose bodies differ from others. */
export interface Bodies {
  /** Callers may leave the body out. */
  optional: ReadonlySet<string | undefined>;
  /** Unknown fields of the body are ignored. */
  ignoring: ReadonlySet<string | undefined>;
}

/** Makes the published document from what @fastify/swagger wrote about the routes. `declared` has the named schemas as the contract has them. */
export function finishDocument<D>(written: D, { optional, ignoring }: Bodies, declared: Record<string, unknown>): D {
  const document = withoutInternals(written) as Document;
  describeReferences(document, declared as Record<string, Schema>);
  const operations = Object.values(document.paths ?? {}).flatMap((path) => Object.values(path));
  for (const { operationId, requestBody } of operations)
    if (requestBody && optional.has(operationId)) requestBody.required = false;
  closeBodies(operations, document.components?.schemas ?? {}, ignoring);
  markDeprecated(operations);
  const parameters = shareParameters(operations);
  const responses = shareErrors(operations);
  document.components = Object.assign({ ...document.components }, { parameters, responses });
  document.webhooks = describeWebhooks();
  return document as D;
}

/** @fastify/swagger leaves the mark in the schema of a parameter, where few tools look for it. */
function markDeprecated(operations: Operation[]): void {
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    if (!parameter.schema?.deprecated) continue;
    delete parameter.schema.deprecated;
    parameter.deprecated = true;
  }
}

/** What the document says in place of the formats that only this service knows. */
const publicForms: Record<string, object> = {
  text: {},
  'day-or-moment': {},
  'report-day': { format: 'date' },
  currency: { pattern: '^[A-Z]{3}$' },
  'language-region': { pattern: '^[A-Z]{2}_[A-Z]{2}$' },
};

/** Leaves out the formats and keywords that only the checks of this service understand. */
function withoutInternals(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document), (_key, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const publicForm = publicForms[value.format];
    const kept = Object.entries(value).filter(([key]) => !key.startsWith('x-') && !(publicForm && key === 'format'));
    return { ...Object.fromEntries(kept), ...publicForm };
  });
}

/** @fastify/swagger drops what stands beside a reference. In OpenAPI 3.1 a description may stand there. */
function describeReferences({ components }: Document, declared: Record<string, Schema>): void {
  for (const [name, { properties = {} }] of Object.entries(components?.schemas ?? {}))
    for (const [key, property] of Object.entries(properties)) {
      const description = declared[name]?.properties?.[key]?.description;
      if (property.$ref && description !== undefined) property.description = description;
    }
}

/** A parameter that several operations have stands once among the components, in the form that most of them have. */
function shareParameters(operations: readonly Operation[]): Record<string, Parameter> {
  const all = operations.flatMap(({ parameters = [] }) => parameters);
  const shared: Record<string, Parameter> = {};
  // Two of one name in different places, as a requestId in a path and one in a query, are two parameters.
  for (const namesakes of Map.groupBy(all, (one) => `${one.in} ${one.name}`).values()) {
    const alike = (one: Parameter) => namesakes.filter((other) => isDeepStrictEqual(other, one)).length;
    const [usual] = namesakes.toSorted((a, b) => alike(b) - alike(a));
    if (usual && alike(usual) > 1) shared[componentName(usual)] ??= usual;
  }
  for (const operation of operations)
    if (operation.parameters)
      operation.parameters = operation.parameters.map((parameter) =>
        isDeepStrictEqual(shared[componentName(parameter)], parameter)
          ? { $ref: `#/components/parameters/${componentName(parameter)}` }
          : parameter,
      ) as Parameter[];
  return shared;
}

/** No schema has such a name: generators write a file for each component, and some file systems ignore case. */
function componentName({ name }: Parameter): string {
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Parameter`;
}

/** An error answer stands once among the components, named by its schema and status: Problem404. */
function shareErrors(operations: readonly Operation[]): Record<string, unknown> {
  const shared: Record<string, unknown> = {};
  for (const { responses } of operations)
    for (const [status, response] of Object.entries(responses)) {
      const schema = Object.values(response.content ?? {})[0]
        ?.schema.$ref?.split('/')
        .at(-1);
      if (Number(status) < 400 || schema === undefined) continue;
      const name = schema + status;
      shared[name] ??= response;
      responses[status] = { $ref: `#/components/responses/${name}` };
    }
  return shared;
}
