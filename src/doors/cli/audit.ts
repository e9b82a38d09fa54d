import type { Command } from 'commander';
import { type AuditHead, readAuditHeads } from '../../company/workspaces/audit-chain.ts';
import { type AuditComparison, verifyAudit } from '../../company/workspaces/audit-verify.ts';
import { listWorkspaceIds } from '../../company/workspaces/each.ts';
import { pools } from '../../ground/database/pools.ts';
import { hashTexts, positiveInteger } from './arguments.ts';
import { counted, print, table } from './output.ts';
import { withDatabase } from './session.ts';

interface Options {
  workspace?: number;
  head?: string[];
  json?: boolean;
}

export function addAuditCommands(program: Command): void {
  const audit = program.command('audit').description('prove that no entry of the audit log was changed');

  audit
    .command('verify')
    .description('compare every entry with its hash; exit code 1 if something does not agree')
    .option('--workspace <id>', 'only this workspace', positiveInteger)
    .option('--head <hash>', 'a head that you have kept: it must be the hash of an entry; may be repeated', hashTexts)
    .option('--json', 'print one JSON object')
    .action(async ({ workspace, head = [], json }: Options) => {
      const found = await verify(workspace, head);
      const agrees = found.every(({ faults }) => faults.length === 0);
      print(json, { agrees, workspaces: found }, () => found.map(describe).join('\n') || 'There is no workspace yet.');
      if (!agrees) process.exitCode = 1;
    });

  audit
    .command('heads')
    .description('print the hash of the latest entry of every workspace, to be kept elsewhere')
    .option('--json', 'print one JSON array')
    .action(async ({ json }: Options) => {
      const heads = await withDatabase((database) => readAuditHeads(database));
      print(json, heads, () => listed(heads));
    });
}

/** A head is of one workspace: it is missing if none has it, and the last one says so. */
function verify(workspace: number | undefined, heads: readonly string[]): Promise<AuditComparison[]> {
  return withDatabase(async (database) => {
    const ids = workspace === undefined ? await listWorkspaceIds(database) : [workspace];
    const found: AuditComparison[] = [];
    for (const id of ids) found.push(await verifyAudit(database, id, [...new Set(heads)]));
    const isMissing = (head: string) => found.every(({ faults }) => faults.some((fault) => fault.head === head));
    return found.map((one, nth) => ({
      ...one,
      faults: one.faults.filter(({ head }) => head === undefined || (nth === found.length - 1 && isMissing(head))),
    }));
  }, pools.longCommands);
}

function describe({ workspaceId, entries, removedUpTo, unchained, takenIn, faults }: AuditComparison): string {
  const notes = [
    ...(removedUpTo > 0 ? [`entries up to number ${removedUpTo} were removed by age`] : []),
    ...(takenIn > 0 ? [`${counted(takenIn, 'entry', 'entries')} joined the chain after being written`] : []),
    ...(unchained > 0 ? [`${counted(unchained, 'entry', 'entries')} not in the chain yet`] : []),
  ];
  const sum = faults.length === 0 ? 'the audit log agrees' : counted(faults.length, 'problem');
  return [
    `workspace ${workspaceId}: ${[`${sum}, ${counted(entries, 'entry', 'entries')}`, ...notes].join('; ')}.`,
    ...faults.map(
      ({ number, problem }) => `workspace ${workspaceId}${number === null ? '' : `, entry ${number}`}: ${problem}`,
    ),
  ].join('\n');
}

function listed(heads: readonly AuditHead[]): string {
  if (heads.length === 0) return 'The audit log has no entries yet.';
  return table(
    ['Workspace', 'Entry', 'Head'],
    heads.map(({ workspaceId, number, head }) => [workspaceId, number, head]),
  );
}
