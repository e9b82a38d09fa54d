import { readFile } from 'node:fs/promises';

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is read in many small places.
type Json = any;

export interface Operation {
  operationId: string;
  deprecated?: boolean;
  method: string;
  path: string;
  parameters: { name: string; in: string; required?: boolean; deprecated?: boolean; schema: Json; example?: unknown }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json; example?: unknown }> };
  responses: Record<string, Json>;
}

export type OpenApiDocument = Record<'paths' | 'webhooks' | 'components' | 'info', Json>;

/** The committed document. test/http/openapi.test.ts compares it with what the service serves. */
export const documentPath = new URL('../../openapi.json', import.meta.url);

export async function readDocument(): Promise<OpenApiDocument> {
  return JSON.parse(await readFile(documentPath, 'utf8'));
}

/** All operations of a document by their id, with their parameters in place of the references to them. */
export function operationsOf(document: OpenApiDocument): Map<string, Operation> {
  const operations = Object.entries(document.paths as Record<string, Record<string, Json>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      parameters: (operation.parameters ?? []).map((parameter: Json) => resolve(document, parameter)),
    })),
  );
  return new Map(operations.map((operation) => [operation.operationId, operation]));
}

/** What a reference leads to; anything else as it is. */
export function resolve(document: OpenApiDocument, value: Json): Json {
  if (typeof value?.$ref !== 'string') return value;
  const steps = value.$ref.split('/').slice(1) as string[];
  return steps.reduce((part: Json, step) => part[step], document);
}

/** The address of an operation, with values for the names in its path. */
export function addressOf(path: string, values: Record<string, unknown>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}
