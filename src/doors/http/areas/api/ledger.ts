import {
  LedgerVerification,
  LedgerVerificationRun,
  LedgerVerificationRuns,
  ledgerSchemas,
  VerificationQuery,
} from '../../../../ground/contract/ledger.ts';
import { Failure } from '../../../../ground/errors.ts';
import { listVerifications } from '../../../../insight/books/outcomes.ts';
import { requestVerification } from '../../../../insight/books/runs.ts';
import { verifyNew } from '../../../../insight/books/verify.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { accepted, json } from './returns.ts';

/** Without a checkpoint, a workspace of a million gifts takes some seconds. Together with the usual time, what proxies wait in our examples. */
const holdsMs = 50_000;

const ledgerRoutes: Routes = async (app, { verification, lookUps, people }) => {
  const takeTurn = createTurn();

  operation(app, 'verifyLedger', 'GET /verify', 'budgets:read', {
    holdsMs,
    summary: 'Verify the ledger',
    description:
      'Compares chains, seals, balances, orders and gifts of the workspace in one snapshot, as `giftwire ledger verify` does for all workspaces: what is new since the latest checkpoint, and everything that can still be paid out. To compare everything, start a full verification. The process verifies one workspace at a time: meanwhile, 429.',
    query: VerificationQuery,
    returns: json('What was found.', LedgerVerification),
    handler: async ({ workspaceId, query }): Promise<LedgerVerification> => {
      const known = query.head === undefined ? [] : [query.head];
      const endTurn = takeTurn();
      const at = new Date().toISOString();
      const verified = await verifyNew(verification, workspaceId, known).finally(endTurn);
      const { faults, heads, checkpoint } = verified;
      const entries = heads.reduce((sum, head) => sum + head.entries, 0);
      return { agrees: faults.length === 0, at, chains: heads.length, entries, faults, checkpoint };
    },
  });

  operation(app, 'startLedgerVerification', 'POST /verifications', 'budgets:read', {
    summary: 'Start a full verification',
    description:
      'Compares everything in the background, piece by piece, also after a restart. Each workspace is verified fully once a week without a request. If a full verification is waiting, no other one is started; after one that is running, another one follows. Read `GET /ledger/verifications` to see how far it is and what it found.',
    changesNothing: true,
    returns: accepted('The verification that was started, or the one that is waiting.', LedgerVerificationRun),
    handler: async ({ workspaceId }): Promise<LedgerVerificationRun> => {
      const number = await requestVerification(people, workspaceId);
      const [run] = await listVerifications(people, workspaceId, number);
      return run as LedgerVerificationRun;
    },
  });

  operation(app, 'listLedgerVerifications', 'GET /verifications', 'budgets:read', {
    summary: 'List verifications',
    description: 'The latest verifications that ran in the background, with progress and outcome.',
    returns: json('The verifications.', LedgerVerificationRuns),
    handler: async ({ workspaceId }): Promise<LedgerVerificationRuns> => ({
      verifications: await listVerifications(lookUps, workspaceId),
    }),
  });
};

/** Without a checkpoint it reads every gift of the workspace, so that two at once could hold up other reports. */
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

export const ledger: Resource = {
  prefix: '/ledger',
  tag: { name: 'Ledger', description: 'The proof that every cent is accounted for.' },
  schemas: ledgerSchemas,
  routes: ledgerRoutes,
};
