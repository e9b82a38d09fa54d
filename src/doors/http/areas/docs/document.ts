/** The parts of an OpenAPI document that the reference shows. */
export interface DocumentedSchema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, DocumentedSchema>;
  required?: string[];
  items?: DocumentedSchema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: DocumentedSchema[];
  oneOf?: DocumentedSchema[];
  allOf?: DocumentedSchema[];
  description?: string;
  format?: string;
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: DocumentedSchema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface Media {
  schema?: DocumentedSchema;
  example?: unknown;
  examples?: Record<string, { value?: unknown }>;
}

interface Answer {
  description: string;
  headers?: Record<string, { description?: string }>;
  content?: Record<string, Media>;
}

interface DocumentedOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, Answer>;
}

export interface OpenApiDocument {
  info: { title: string; version: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
}

export interface Operation extends DocumentedOperation {
  method: string;
  path: string;
  /** What a token needs for it. */
  scope: string;
}

export interface DocumentedResource {
  name: string;
  slug: string;
  description: string;
  operations: Operation[];
}

/** Returns what a `$ref` points to, and everything else as it is. */
export type Follow = <T>(value: T) => T;

export function createFollow(document: object): Follow {
  return <T>(value: T) => {
    const pointer = (value as { $ref?: string } | null)?.$ref;
    if (pointer === undefined) return value;
    const steps = pointer.replace('#/', '').split('/');
    return steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document) as T;
  };
}

/** The operations by tag, in the document's sequence. `scopes` has the scope of each `METHOD /path`. */
export function resourcesOf(document: OpenApiDocument, scopes: ReadonlyMap<string, string>): DocumentedResource[] {
  const follow = createFollow(document);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      parameters: operation.parameters?.map(follow) ?? [],
      responses: Object.fromEntries(Object.entries(operation.responses).map(([status, one]) => [status, follow(one)])),
      method: method.toUpperCase(),
      path,
      scope: scopes.get(`${method.toUpperCase()} ${path}`) ?? '',
    })),
  );
  return document.tags.map(({ name, description }) => ({
    name,
    slug: name.toLowerCase().replaceAll(' ', '-'),
    description,
    operations: operations.filter(({ tags }) => tags.includes(name)),
  }));
}
