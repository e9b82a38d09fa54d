import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { findMember } from '../../company/directory/members.ts';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import type { Erasure, ErasurePreview } from '../../ground/contract/erasure.ts';
import type { Database } from '../../ground/database/database.ts';
import { handOutData } from '../../insight/rights/data.ts';
import { confirmErasure, requestErasure, stopErasure } from '../../insight/rights/erasures.ts';
import { previewErasure } from '../../insight/rights/preview.ts';
import { forWorkspace } from './arguments.ts';
import { confirm } from './confirm.ts';
import { counted, print, table } from './output.ts';
import { withDatabase } from './session.ts';

interface EraseOptions {
  workspace: number;
  preview?: boolean;
  confirm?: boolean;
  stop?: boolean;
  yes?: boolean;
  json?: boolean;
}

/** Commands for what a person can ask for: a file of their data, and erasure. */
export function addRightsCommands(members: Command): void {
  forWorkspace(members.command('data'))
    .argument('<member>', 'email, employee number or id of the person')
    .argument('[file]', 'the ZIP to write; without it, data-<id>-<day>.zip in this folder')
    .description('write everything about a person into a ZIP: a page to read, JSON and CSV')
    .action(writeData);

  forWorkspace(members.command('erase'))
    .argument('<member>', 'email, employee number or id of the person')
    .description(
      'erase a person: show what goes and what stays, then ask for it. It begins after a day, or when a second person has agreed',
    )
    .option('--preview', 'show what goes and what stays, and change nothing')
    .option('--confirm', 'agree to an erasure that another person has asked for')
    .option('--stop', 'stop an erasure that has not begun')
    .option('--yes', 'do not ask: for scripts')
    .action(erase);
}

async function writeData(who: string, file: string | undefined, { workspace, json }: EraseOptions): Promise<void> {
  const written = await withDatabase((database) =>
    database.transaction(async (tx) => {
      const id = await findMember(tx, workspace, who);
      const { name, zip } = await handOutData(tx, atTheCommandLine, workspace, id);
      await writeFile(file ?? name, zip, { mode: 0o600 });
      return { id, file: file ?? name, bytes: zip.length };
    }),
  );
  print(
    json,
    written,
    () =>
      `Written: ${written.file}, ${counted(written.bytes, 'byte')}. It is personal data: give it to this person alone.`,
  );
}

async function erase(who: string, options: EraseOptions): Promise<void> {
  const { workspace, json } = options;
  const done = await withDatabase(async (database) => {
    const id = await findMember(database, workspace, who);
    if (options.stop || options.confirm) return decide(database, workspace, id, options);
    const preview = await previewErasure(database, workspace, id);
    if (options.preview) return preview;
    await confirm(`${describe(preview)}\n\nErase member ${id}?`, options.yes);
    return database.transaction((tx) => requestErasure(tx, atTheCommandLine, workspace, id));
  });
  print(json, done, () => ('removed' in done ? describe(done) : sentence(done)));
}

function decide(database: Database, workspaceId: number, id: number, { stop }: EraseOptions): Promise<Erasure> {
  return database.transaction((tx) =>
    stop ? stopErasure(tx, atTheCommandLine, workspaceId, id) : confirmErasure(tx, atTheCommandLine, workspaceId, id),
  );
}

function sentence({ state, dueAt }: Erasure): string {
  if (state === 'STOPPED') return 'Stopped: nothing was erased.';
  if (state === 'REQUESTED') return 'Asked for: it begins when a second person has agreed.';
  return `It begins at ${dueAt?.toISOString()}: until then "giftwire member erase --stop" stops it.`;
}

const removedTexts = {
  IDENTITY: 'name, addresses, numbers',
  WRITTEN: 'texts they wrote',
  RECEIVED: 'texts written to them',
  EMAILS: 'email addresses and email logs',
  AUDIT: 'their name in the audit log',
  ACCOUNTS: 'accounts and sessions',
} as const;

const keptTexts = {
  PAYROLL_LINES: 'lines of payroll files (tax law)',
  TAX_LOG: 'the tax log (tax law)',
  LEDGER_NOTES: 'notes of the ledger that name them (its hashes cover them)',
  COUNTS: 'counts, totals and amounts, which name no person',
  MARK: 'that they were erased, as a keyed hash, so that an old file does not bring them back',
} as const;

const obstacleTexts = {
  OPEN_GIFTS: 'gifts that are not spent',
  OPEN_REQUESTS: 'open requests',
  UNPAID: 'redemptions in no payroll export',
  PENDING_ORDERS: 'orders that wait',
  LAST_OWNER: 'the last owner of the workspace',
  LEGAL_HOLD: 'legal hold',
} as const;

function describe({ obstacles, removed, kept }: ErasurePreview): string {
  return [
    'Goes:',
    table(
      ['What', 'Records'],
      removed.map(({ group, count }) => [removedTexts[group], count]),
    ),
    '',
    'Stays:',
    table(
      ['What', 'Records', 'Until'],
      kept.map(({ kind, count, until }) => [keptTexts[kind], count ?? '', until ?? '']),
    ),
    ...(obstacles.length === 0
      ? []
      : [
          '',
          'Before the erasure can begin, these have to end:',
          table(
            ['What', 'Count', 'Amount'],
            obstacles.map(({ kind, count, amount, currency }) => [
              obstacleTexts[kind],
              count,
              amount === null ? '' : `${amount} ${currency}`,
            ]),
          ),
        ]),
  ].join('\n');
}
