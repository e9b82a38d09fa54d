import type { Command } from 'commander';
import { readSealHeads, type SealHead } from '../../company/workspaces/seals.ts';
import { type Head, readHeads } from '../../giving/budgets/heads.ts';
import { pools } from '../../ground/database/pools.ts';
import type { LedgerFault } from '../../insight/books/checks.ts';
import { type Verification, verifyLedger } from '../../insight/books/verify.ts';
import { hashTexts } from './arguments.ts';
import { counted, print, table } from './output.ts';
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
    .option('--json', 'print one JSON object')
    .action(async ({ head = [], json }: { head?: string[]; json?: boolean }) => {
      const verification = await withDatabase(
        (database) => verifyLedger(database, { known: head }),
        pools.longCommands,
      );
      print(json, { agrees: verification.faults.length === 0, ...verification }, () => describe(verification));
      if (verification.faults.length > 0) process.exitCode = 1;
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

function describe({ faults, heads }: Verification): string {
  if (faults.length > 0)
    return [...faults.map(sentence), `${counted(faults.length, 'fault')}: docs/money.md says what to do.`].join('\n');
  const entries = heads.reduce((sum, head) => sum + head.entries, 0);
  return `The books agree: ${counted(entries, 'entry', 'entries')} in ${counted(heads.length, 'chain')}.`;
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
