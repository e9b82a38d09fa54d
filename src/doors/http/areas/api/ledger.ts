import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { verifyLedger } from '../../../../giving/budgets/verify.ts';
import { LedgerVerification, ledgerSchemas, VerificationQuery } from '../../../../ground/contract/ledger.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import type { Database } from '../../../../ground/database/database.ts';
import { Failure } from '../../../../ground/errors.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import type { Resource } from './resource.ts';

export interface LedgerOptions {
  verification: Database;
}

/** A workspace of a million gifts takes some seconds. Together with the usual time, what proxies wait in our examples. */
const holdsMs = 50_000;

const ledgerRoutes: FastifyPluginAsyncTypebox<LedgerOptions> = async (app, { verification }) => {
  const takeTurn = createTurn();

  app.route({
    method: 'GET',
    url: '/verify',
    config: { access: 'budgets:read', holdsMs },
    schema: {
      operationId: 'verifyLedger',
      summary: 'Verify the ledger',
      description:
        'Compares chains, balances, orders and gifts of the workspace in one snapshot, as `giftwire ledger verify` does for all workspaces. The process verifies one workspace at a time: meanwhile, 429.',
      headers: Type.Object(WorkspaceHeader),
      querystring: VerificationQuery,
      response: {
        200: { description: 'What was found.', content: { 'application/json': { schema: ref(LedgerVerification) } } },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: async ({ caller, query }): Promise<LedgerVerification> => {
      const { workspaceId } = caller.workspace;
      const known = query.head === undefined ? [] : [query.head];
      const endTurn = takeTurn();
      const at = new Date().toISOString();
      const { faults, heads } = await verifyLedger(verification, { workspaceId, known }).finally(endTurn);
      const entries = heads.reduce((sum, head) => sum + head.entries, 0);
      return { agrees: faults.length === 0, at, chains: heads.length, entries, faults };
    },
  });
};

/** It reads every gift of the workspace, so that two at once could hold up other reports. */
function createTurn() {
  let isTaken = false;
  return () => {
    if (isTaken)
      throw new Failure('tooMany', 'The books are being verified already: try again in a moment.', {
        headers: { 'Retry-After': '5' },
      });
    isTaken = true;
    return () => {
      isTaken = false;
    };
  };
}

export const ledger: Resource<LedgerOptions> = {
  prefix: '/ledger',
  tag: { name: 'Ledger', description: 'The proof that every cent is accounted for.' },
  schemas: ledgerSchemas,
  routes: ledgerRoutes,
};
