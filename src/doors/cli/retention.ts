import type { Command } from 'commander';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import { previewRetention, readRetention, setRetention } from '../../company/workspaces/retention-settings.ts';
import type { RetentionRule } from '../../ground/contract/retention.ts';
import { pools } from '../../ground/database/pools.ts';
import { Failure } from '../../ground/errors.ts';
import { retentions } from '../../retention.ts';
import { forWorkspace } from './arguments.ts';
import { counted, print } from './output.ts';
import { inTransaction, withDatabase } from './session.ts';

interface Options {
  workspace: number;
  json?: boolean;
}

export function addRetentionCommands(program: Command): void {
  const retention = program.command('retention').description('set for how many days a workspace keeps old records');

  forWorkspace(retention.command('list').description('list what is removed by age, and after how many days')).action(
    async ({ workspace, json }: Options) => {
      const states = await withDatabase((database) => readRetention(database, retentions, workspace));
      print(json, states, () => describe(states));
    },
  );

  forWorkspace(
    retention
      .command('set <kind> <days>')
      .description('keep a kind for a number of days, "always", or "usual" for as long as other workspaces do'),
  ).action(async (kind: string, days: string, { workspace, json }: Options) => {
    const states = await inTransaction(async (tx) => {
      await setRetention(tx, atTheCommandLine, retentions, workspace, [{ kind, days: readDays(days) }]);
      return readRetention(tx, retentions, workspace);
    });
    print(json, states, () => describe(states));
  });

  forWorkspace(
    retention.command('preview').description('count what the next run removes; a run begins once a day'),
  ).action(async ({ workspace, json }: Options) => {
    const counts = await withDatabase(
      (database) => previewRetention(database, retentions, workspace),
      pools.longCommands,
    );
    print(json, counts, () => counts.map(({ kind, rows }) => `${kind}: ${counted(rows, 'record')}`).join('\n'));
  });
}

function readDays(text: string): number | null | 'usual' {
  if (text === 'usual') return 'usual';
  if (text === 'always') return null;
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new Failure('invalid', `${text} is not a number of days: say for example 365, "always" or "usual".`);
  return Number(text);
}

/** Texts have a line each: a table of them would be wider than any terminal. */
function describe(states: readonly RetentionRule[]): string {
  return states
    .map(({ kind, days, isUsual, removed, what, why }) => {
      const kept = `${days === null ? 'always' : counted(days, 'day')}${isUsual ? ' (default)' : ''}`;
      return `${kind}: ${kept}, ${removed} removed so far\n  ${what}\n  Why: ${why}`;
    })
    .join('\n\n');
}
