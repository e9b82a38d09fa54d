import { aPng } from '../support/mails.ts';
import { addressOf, type OpenApiDocument, type Operation } from '../support/openapi.ts';
import type { Random } from '../support/random.ts';
import { bodyOf, kindOf } from '../support/requests.ts';
import type { Records } from './records.ts';
import { type Json, Values } from './values.ts';

/** The parts of a request before they are written down, so that each can be spoiled. */
export interface Draft {
  operation: Operation;
  path: Record<string, string>;
  query: [name: string, value: string][];
  headers: Record<string, string>;
  /** A value that is sent as JSON. Text and bytes are sent as they are. */
  body: Json;
}

export interface FuzzRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | null;
}

/** A request for an operation as the document describes it. Values that only the service can judge may still be rejected. */
export function draftOf(document: OpenApiDocument, operation: Operation, records: Records, random: Random): Draft {
  const values = new Values(document, records, random);
  const kind = kindOf(operation);
  const parts = operation.parameters.filter((one) => one.in !== 'path' && (one.required || random.chance(0.3)));
  const textOf = ({ name, schema, example }: Operation['parameters'][number]) =>
    String((random.chance(0.5) ? example : undefined) ?? values.draw(schema, name));
  const path = operation.parameters
    .filter((one) => one.in === 'path')
    .map((one) => {
      const isOfSpending = operation.path.startsWith('/api/v1/me/spending/');
      if (isOfSpending && random.chance(0.8)) return [one.name, records.own.spending ?? textOf(one)];
      const isKnown = kind !== null && /^(id|requestId|key)$/.test(one.name) && random.chance(0.8);
      return [one.name, isKnown ? random.pick([records.ids[kind], ...(records.own[kind] ?? [])]) : textOf(one)];
    });
  const sent = Object.keys(operation.requestBody?.content ?? {});
  const type = sent.length > 0 && (operation.requestBody?.required || random.chance(0.7)) ? random.pick(sent) : null;
  return {
    operation,
    path: Object.fromEntries(path),
    query: parts.filter((one) => one.in === 'query').map((one) => [one.name, textOf(one)]),
    headers: {
      ...Object.fromEntries(
        parts
          .filter((one) => one.in === 'header' && one.name !== 'X-Workspace-id')
          .map((one) => [one.name, textOf(one)]),
      ),
      ...(type !== null && { 'Content-Type': type }),
      ...(type === 'multipart/report' && { 'Content-Type': `${type}; boundary=b` }),
    },
    body: type === null ? undefined : bodyFor(document, operation, type, values, random),
  };
}

function bodyFor(document: OpenApiDocument, operation: Operation, type: string, values: Values, random: Random): Json {
  if (type.startsWith('image/')) return new Uint8Array(aPng(120, 40));
  const { schema, example = bodyOf(document, operation)?.example } = operation.requestBody?.content[type] ?? {};
  if (example !== undefined && (typeof example === 'string' || random.chance(0.25))) return structuredClone(example);
  return values.draw(schema);
}

/** The request as it is sent. Header texts are sent as the bytes of UTF-8, as the service reads them. */
export function write({ operation, path, query, headers, body }: Draft): FuzzRequest {
  const asked = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return {
    method: operation.method,
    url: addressOf(operation.path, path) + (asked && `?${asked}`),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, Buffer.from(value, 'utf8').toString('latin1')]),
    ),
    body: bytesOf(body),
  };
}

function bytesOf(body: Json): FuzzRequest['body'] {
  if (body === undefined) return null;
  return typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body);
}
