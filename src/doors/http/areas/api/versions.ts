import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { checkVersion, versionOf } from '../../../../company/scim/version.ts';

/** What an operation with `isVersioned` documents. */
export const VersionHeader = {
  ETag: Type.String({
    description:
      'The version of what people edit. A change with it as If-Match gives 412 if another change came first.',
  }),
};

export const IfMatchHeader = {
  'If-Match': Type.Optional(
    Type.String({
      description: 'The ETag of the version to change. If the resource has another version, the answer is 412.',
    }),
  ),
};

/** Sends the version of a record with it. */
export function sendVersion<Record extends object>(reply: FastifyReply, record: Record): Record {
  reply.header('ETag', versionOf(edited(record)));
  return record;
}

/** Rejects a change of another version than the caller has read. `read` runs under the lock that the change holds. */
export async function matchVersion({ headers }: FastifyRequest, read: () => Promise<object | null>): Promise<void> {
  const ifMatch = headers['if-match'];
  if (ifMatch === undefined) return;
  const record = await read();
  if (record !== null) checkVersion(ifMatch, edited(record));
}

/** What changes without an edit, or through a separate operation, is no part of a version. */
function edited(record: object): object {
  const { recognitions, lastRecognizedOn, lastRecognizedBy, people, logo, ...fields } = record as Record<
    string,
    unknown
  >;
  return fields;
}
