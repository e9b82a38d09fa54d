import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { LedgerVerification, ledgerSchemas, VerificationQuery } from '../../../../ground/contract/ledger.ts';
import type { Database } from '../../../../ground/database/database.ts';
import { Failure } from '../../../../ground/errors.ts';
import { verifyLedger } from '../../../../insight/books/verify.ts';
import { operation } from './operation.ts';
import type { Resource } from './resource.ts';
import { json } from './returns.ts';

export interface LedgerOptions {
  verification: Database;
}

/** A workspace of a million gifts takes some seconds. Together with the usual time, what proxies wait in our examples. */
const holdsMs = 50_000;

const ledgerRoutes: FastifyPluginAsyncTypebox<LedgerOptions> = async (app, { verification }) => {
  const takeTurn = createTurn();

  operation(app, 'verifyLedger', 'GET /verify', 'budgets:read', {
    holdsMs,
    summary: 'Verify the ledger',
    description:
      'Compares chains, seals, balances, orders and gifts of the workspace in one snapshot, as `giftwire ledger verify` does for all workspaces. The process verifies one workspace at a time: meanwhile, 429.',
    query: VerificationQuery,
    returns: json('What was found.', LedgerVerification),
    handler: async ({ workspaceId, query }): Promise<LedgerVerification> => {
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
