import Type from 'typebox';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import { AddedCodes, CodeRemoval, PoolParams, RemovedCodes } from '../../../../ground/contract/pool.ts';
import { addCodes } from '../../../../spending/code-pools/add-codes.ts';
import { codeColumns, mostCodes } from '../../../../spending/code-pools/code-file.ts';
import { removeCodes } from '../../../../spending/code-pools/remove-codes.ts';
import { mebibyte } from '../../body/body-limits.ts';
import { csvFile, needsFile } from './media.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import { created, json } from './returns.ts';

/** Enough for the most codes that a file may have, with usual codes and retailers. */
const maxFileBytes = 2 * mebibyte;
const example = 'retailer,value,code,pin,expiry\nRiverside Books,25.00,RB-4821-7730-1164,4417,2030-12-31\n';

export const poolCodeRoutes: Routes = async (app, { people, keys }) => {
  app.addContentTypeParser('text/csv', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);

  operation(app, 'addCodes', 'POST /:id/codes', 'settings:manage', {
    bodyLimit: maxFileBytes,
    summary: 'Add codes to a pool',
    description: `A CSV file in UTF-8 of up to ${mostCodes} codes. The first line names the columns ${codeColumns.join(', ')}; pin and expiry can be left out. If a line is invalid, or a code is already in the workspace, nothing is stored and the message names the lines. Codes are encrypted before they are stored.`,
    params: PoolParams,
    body: {
      content: { 'text/csv': { schema: Type.String({ description: 'The file.', examples: [example] }) } },
    },
    returns: created('How many codes were added, and the pool.', AddedCodes),
    preValidation: needsFile(csvFile),
    handler: ({ workspaceId, actor, params, body }) =>
      addCodes(people, keys, actor, workspaceId, params.id, body as unknown as Buffer),
  });

  operation(app, 'removeCodes', 'DELETE /:id/codes', 'settings:manage', {
    summary: 'Remove codes from a pool',
    description:
      'Removes unassigned codes: all of them, or those of a retailer or a value, for example after uploading a wrong file. They can be added again. Codes that recipients have stay. An unknown parameter gives 400.',
    params: PoolParams,
    query: CodeRemoval,
    returns: json('How many codes were removed, and the pool.', RemovedCodes),
    handler: ({ workspaceId, actor, params, query }) =>
      inWorkspace(people, workspaceId, (tx) => removeCodes(tx, actor, workspaceId, params.id, query)),
  });
};
