import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { actorOf } from '../../../../company/access/actor.ts';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import type { GiftTokenKeys } from '../../../../giving/gifts/token-keys.ts';
import { AddedCodes, CodeRemoval, PoolParams, RemovedCodes } from '../../../../ground/contract/pool.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import type { Database } from '../../../../ground/database/database.ts';
import { addCodes } from '../../../../spending/code-pools/add-codes.ts';
import { codeColumns, mostCodes } from '../../../../spending/code-pools/code-file.ts';
import { removeCodes } from '../../../../spending/code-pools/remove-codes.ts';
import { mebibyte } from '../../body/body-limits.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import { csvFile, needsFile } from './media.ts';

interface PoolCodeOptions {
  people: Database;
  keys: GiftTokenKeys;
}

/** Enough for the most codes that a file may have, with usual codes and retailers. */
const maxFileBytes = 2 * mebibyte;
const example = 'retailer,value,code,pin,expiry\nRiverside Books,25.00,RB-4821-7730-1164,4417,2030-12-31\n';

export const poolCodeRoutes: FastifyPluginAsyncTypebox<PoolCodeOptions> = async (app, { people, keys }) => {
  app.addContentTypeParser('text/csv', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);

  app.route({
    method: 'POST',
    url: '/:id/codes',
    config: { access: 'settings:manage' },
    bodyLimit: maxFileBytes,
    schema: {
      operationId: 'addCodes',
      summary: 'Add codes to a pool',
      description: `A CSV file in UTF-8 of up to ${mostCodes} codes. The first line names the columns ${codeColumns.join(', ')}; pin and expiry can be left out. If a line is at fault, or a code is in the workspace already, nothing is stored and the message names the lines. Codes are encrypted before they are stored.`,
      headers: Type.Object(WorkspaceHeader),
      params: PoolParams,
      body: {
        content: { 'text/csv': { schema: Type.String({ description: 'The file.', examples: [example] }) } },
      },
      response: {
        201: {
          description: 'How many codes were added, and the pool.',
          content: { 'application/json': { schema: ref(AddedCodes) } },
        },
        ...problems(400, 401, 403, 404, 406, 413, 415, 429, 500, 503),
      },
    },
    preValidation: needsFile(csvFile),
    handler: async ({ caller, grant, params, body }, reply) => {
      const { workspaceId } = caller.workspace;
      const added = await addCodes(people, keys, actorOf(grant), workspaceId, params.id, body as unknown as Buffer);
      return reply.code(201).send(added);
    },
  });

  app.route({
    method: 'DELETE',
    url: '/:id/codes',
    config: { access: 'settings:manage' },
    schema: {
      operationId: 'removeCodes',
      summary: 'Remove codes from a pool',
      description:
        'Removes the codes that nobody has got: all of them, or those of a retailer or a value, for instance to correct a file. They can be added again. Codes that recipients have stay. An unknown parameter gives 400.',
      headers: Type.Object(WorkspaceHeader),
      params: PoolParams,
      querystring: CodeRemoval,
      response: {
        200: {
          description: 'How many codes were removed, and the pool.',
          content: { 'application/json': { schema: ref(RemovedCodes) } },
        },
        ...problems(400, 401, 403, 404, 406, 413, 415, 429, 500, 503),
      },
    },
    handler: ({ caller, grant, params, query }) => {
      const { workspaceId } = caller.workspace;
      return inWorkspace(people, workspaceId, (tx) => removeCodes(tx, actorOf(grant), workspaceId, params.id, query));
    },
  });
};
