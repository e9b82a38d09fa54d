import type { FastifyReply } from 'fastify';
import Type, { type Static, type TSchema } from 'typebox';
import { ref } from '../../../../ground/contract/schema.ts';

type Named = TSchema & { $id: string };

/** The response of an operation that has succeeded, which its handler returns. */
export interface Returns<Result> {
  status: number;
  response: { description: string };
  /** What it can be besides JSON, or in place of it. */
  media?: 'csv' | 'html' | 'zip';
  /** For the type of the handler alone. */
  result?: Result;
}

const asJson =
  (status: number) =>
  <S extends Named>(description: string, schema: S): Returns<Static<S>> => ({
    status,
    response: contentOf(description, { 'application/json': ref(schema) }),
  });

export const json = asJson(200);
export const created = asJson(201);
export const accepted = asJson(202);

const allRows =
  'All rows with a header line; page and size are ignored. A workspace can read two files at once; a third one gets 429.';

/** JSON, or a file if the caller asks for one. */
export function jsonOrCsv<S extends Named>(description: string, schema: S, file = allRows): Returns<Static<S>> {
  const csv = Type.String({ description: file });
  return {
    status: 200,
    response: contentOf(description, { 'application/json': ref(schema), 'text/csv': csv }),
    media: 'csv',
  };
}

export function html(description: string, document: string): Returns<string> {
  const response = contentOf(description, { 'text/html': Type.String({ description: document }) });
  return { status: 200, response, media: 'html' };
}

export function zipFile(description: string, file: string): Returns<string> {
  const response = contentOf(description, { 'application/zip': Type.String({ description: file }) });
  return { status: 200, response, media: 'zip' };
}

export function sendZip(reply: FastifyReply, { name, zip }: { name: string; zip: Buffer }): string {
  // Fastify sends the reply that a handler returns; its type is that of the schema.
  return reply
    .type('application/zip')
    .header('Content-Disposition', `attachment; filename="${name}"`)
    .send(zip) as unknown as string;
}

/** What the handler returns is not sent. */
export function nothing(description: string): Returns<unknown> {
  return { status: 204, response: Object.assign({ description }, { type: 'null' }) };
}

function contentOf(description: string, schemas: Record<string, TSchema>) {
  const content = Object.entries(schemas).map(([type, schema]) => [type, { schema }]);
  return { description, content: Object.fromEntries(content) };
}
