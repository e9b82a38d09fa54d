import type { Database, Queryable } from '../../src/ground/database/database.ts';
import type { LedgerFault } from '../../src/insight/books/checks.ts';
import { comparePiece, type Progress } from '../../src/insight/books/pieces.ts';
import { requestVerification, runVerification } from '../../src/insight/books/runs.ts';
import { eventually } from './eventually.ts';

/** Small pieces, so that a small history has several of each kind. */
export const smallPieces = { entries: 3, seals: 4, orders: 2, redemptions: 2, codes: 1 };

/** Some of each kind, for a test that verifies often. */
const fewPieces = { entries: 12, seals: 12, orders: 6, redemptions: 3, codes: 1 };

/** Runs a full verification of a workspace to its end, piece by piece, and returns the problems found. */
export async function verifyFully(
  database: Database,
  workspaceId: number,
  between = async () => {},
): Promise<LedgerFault[]> {
  return endVerification(database, workspaceId, await requestVerification(database, workspaceId), between);
}

/** Runs a verification to its end. A worker of the service may run some of the pieces: a step that meets it is tried again. */
export function endVerification(
  database: Database,
  workspaceId: number,
  number: number,
  between = async () => {},
): Promise<LedgerFault[]> {
  return eventually(async () => {
    await runVerification(database, smallPieces).catch((error) => {
      if (error.code !== '40001') throw error;
    });
    await between();
    const [run] = await database.query<{ faults: LedgerFault[] }>(
      'select faults from verifications where workspace_id = $1 and number = $2 and finished_at is not null',
      [workspaceId, number],
    );
    return run?.faults ?? null;
  });
}

/** The problems that all pieces of a full verification find in one transaction. */
export async function findInPieces(tx: Queryable, workspaceId: number): Promise<LedgerFault[]> {
  const found: LedgerFault[] = [];
  let progress: Progress = { stage: 'begin', after: null, carried: {} };
  while (progress.stage !== 'store') {
    const { faults, next } = await comparePiece(tx, workspaceId, progress, fewPieces);
    found.push(...faults);
    progress = next;
  }
  return found;
}
