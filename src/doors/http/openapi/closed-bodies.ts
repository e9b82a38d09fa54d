import { isObject } from '../../../ground/values/differences.ts';

type Json = Record<string, unknown>;

interface Operation {
  operationId?: string;
  requestBody?: object;
  responses: object;
}

const beginning = '#/components/schemas/';

/**
 * Says in the document that a JSON body has no other fields than those of its schema: an unknown one gets 400. Schemas that a response
 * or a body of `ignoring` has too stay open, because there a field can be added.
 */
export function closeBodies(
  operations: readonly Operation[],
  schemas: Record<string, object>,
  ignoring: ReadonlySet<string | undefined>,
): void {
  const open = new Set<object>();
  const visit = (value: unknown, seen: Set<object>): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    const { $ref } = value as { $ref?: unknown };
    if (typeof $ref === 'string' && $ref.startsWith(beginning)) visit(schemas[$ref.slice(beginning.length)], seen);
    for (const part of Object.values(value)) visit(part, seen);
  };
  const closed = new Set<object>();
  for (const { operationId, requestBody, responses } of operations) {
    visit(responses, open);
    const json = (requestBody as { content?: Json } | undefined)?.content?.['application/json'];
    if (json) visit((json as Json).schema, ignoring.has(operationId) ? open : closed);
  }
  for (const schema of closed)
    if (!open.has(schema) && isObject(schema) && schema.type === 'object' && isObject(schema.properties))
      schema.additionalProperties ??= false;
}
