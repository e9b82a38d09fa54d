import type { FastifyReply, FastifyRequest } from 'fastify';
import Type, { type TProperties } from 'typebox';
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

/** Sends and compares the versions of records. `edited` is what people edit of a record: the rest changes without an edit, or through a separate operation. */
export function versionsOf<Of extends object>(edited: (record: Of) => object) {
  return {
    /** Sends the version of a record with it. */
    send<Sent extends Of>(reply: FastifyReply, record: Sent): Sent {
      reply.header('ETag', versionOf(edited(record)));
      return record;
    },
    /** Rejects a change of another version than the caller has read. `read` runs under the lock that the change holds. */
    async match({ headers }: FastifyRequest, read: () => Promise<Of | null>): Promise<void> {
      const ifMatch = headers['if-match'];
      if (ifMatch === undefined) return;
      const record = await read();
      if (record !== null) checkVersion(ifMatch, edited(record));
    },
  };
}

/** What a change of this schema can change of a record. */
export function editedBy({ properties }: { properties: TProperties }): (record: object) => object {
  const names = Object.keys(properties);
  return (record) => Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}

/** For records of which people edit most fields. */
export const { send: sendVersion, match: matchVersion } = versionsOf((record: object) => {
  const { recognitions, lastRecognizedOn, lastRecognizedBy, people, logo, ...fields } = record as Record<
    string,
    unknown
  >;
  return fields;
});
