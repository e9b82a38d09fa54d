import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { readSealHeads, type SealHead } from '../../company/workspaces/seals.ts';
import { type Head, readHeads } from '../../giving/budgets/heads.ts';
import type { Database } from '../../ground/database/database.ts';
import { pools } from '../../ground/database/pools.ts';
import type { LedgerFault } from '../../insight/books/checks.ts';
import { readRequested } from '../../insight/books/outcomes.ts';
import { requestAll, runVerification } from '../../insight/books/runs.ts';
import { type CheckpointOf, missingHeads, type Verification, verifyAllNew } from '../../insight/books/verify.ts';
import { hashTexts } from './arguments.ts';
import { counted, print, table } from './output.ts';
import { openBar } from './progress.ts';
import { withDatabase } from './session.ts';

export function addLedgerCommands(program: Command): void {
  const ledger = program.command('ledger').description('prove that every cent is accounted for');

  ledger
    .command('verify')
    .description('compare chains, seals, balances, orders and gifts; exit code 1 if something does not agree')
    .option(
      '--head <hash>',
      'a head that you have kept: it must be the hash of an entry or a seal; may be repeated',
      hashTexts,
    )
    .option(
      '--full',
      'compare everything, not only what is new since the latest checkpoint and what can still be paid out; leaves a new checkpoint',
    )
    .option('--json', 'print one JSON object')
    .action(async ({ head = [], full, json }: { head?: string[]; full?: boolean; json?: boolean }) => {
      const verification = await withDatabase(
        async (database): Promise<Described> =>
          full ? verifyFully(database, head) : { ...(await verifyAllNew(database, head)), failed: [] },
        pools.longCommands,
      );
      const agrees = verification.faults.length === 0 && verification.failed.length === 0;
      print(json, { agrees, ...verification }, () => describe(verification));
      if (!agrees) process.exitCode = 1;
    });

  ledger
    .command('heads')
    .description(
      'print the hash of the latest entry of every chain and of the latest seal of every workspace, to be kept elsewhere',
    )
    .option('--json', 'print one JSON array')
    .action(async ({ json }: { json?: boolean }) => {
      const [heads, seals] = await withDatabase((database) =>
        Promise.all([readHeads(database), readSealHeads(database)]),
      );
      print(json, [...heads, ...seals], () => listed(heads, seals));
    });
}

interface Described extends Verification {
  checkpoints: CheckpointOf[];
  /** Workspaces whose verification ended with an error, and its code. Nothing is known about their books. */
  failed: { workspaceId: number; failure: string }[];
}

const pauseMs = 500;

/** Runs the pieces here. Workers of the service may run some of them too. An error in one workspace is noted there, and the others go on. */
async function verifyFully(database: Database, known: readonly string[]): Promise<Described> {
  const requested = await requestAll(database);
  const bar = openBar(0, (done, total) => `${done} of ${total} rows`);
  try {
    for (;;) {
      const { isFinished, rowsDone, rowsExpected, faults, failed } = await readRequested(database, requested);
      bar.update(rowsDone, rowsExpected);
      if (isFinished) {
        const missing = await missingHeads(database, null, known);
        return { faults: [...faults, ...missing], heads: await readHeads(database), checkpoints: [], failed };
      }
      if ((await runVerification(database).catch(() => null)) === null) await sleep(pauseMs);
    }
  } finally {
    bar.stop();
  }
}

function describe({ faults, heads, checkpoints, failed }: Described): string {
  if (faults.length + failed.length > 0)
    return [
      ...faults.map(sentence),
      ...(faults.length > 0 ? [`${counted(faults.length, 'fault')}: docs/money.md says what to do.`] : []),
      ...failed.map(
        ({ workspaceId, failure }) =>
          `workspace ${workspaceId}: it could not be verified (error ${failure}). Workers try again; "giftwire doctor" says how far they have come.`,
      ),
    ].join('\n');
  const entries = heads.reduce((sum, head) => sum + head.entries, 0);
  const agrees = `The books agree: ${counted(entries, 'entry', 'entries')} in ${counted(heads.length, 'chain')}.`;
  const [oldest] = checkpoints.map(({ fullAt }) => fullAt).sort();
  if (oldest === undefined) return agrees;
  const before = checkpoints.reduce((sum, one) => sum + one.entries, 0);
  return `${agrees}\nOf these, ${counted(before, 'entry was', 'entries were')} verified before, and all of them last on ${oldest.slice(0, 10)}: --full compares everything.`;
}

function sentence({ workspaceId, budgetId, number, problem }: LedgerFault): string {
  const where = [
    ...(workspaceId === null ? [] : [`workspace ${workspaceId}`]),
    ...(budgetId === null ? [] : [`budget ${budgetId}`]),
    ...(number === null ? [] : [`entry ${number}`]),
  ];
  return where.length === 0 ? problem : `${where.join(', ')}: ${problem}`;
}

function listed(heads: readonly Head[], seals: readonly SealHead[]): string {
  if (heads.length === 0 && seals.length === 0) return 'The ledger has no entries yet.';
  const rows = heads.map(({ workspaceId, budgetId, currency, entries, head }) => [
    workspaceId,
    budgetId,
    currency,
    entries,
    head,
  ]);
  const sealed = seals.map(({ workspaceId, seals, head }) => [workspaceId, 'seals', '', seals, head]);
  return table(['Workspace', 'Budget', 'Currency', 'Entries', 'Head'], [...rows, ...sealed]);
}
