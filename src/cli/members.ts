import type { Command } from 'commander';
import { type CurrentMember, readCurrent } from '../directory/csv/current.ts';
import { findMember } from '../directory/members.ts';
import { mergeMembers } from '../directory/merge.ts';
import { positiveInteger } from './arguments.ts';
import { addExportCommand } from './members-export.ts';
import { addImportCommand } from './members-import.ts';
import { fields, print } from './output.ts';
import { withDatabase } from './session.ts';

export function addMemberCommands(program: Command): void {
  const members = program.command('members').alias('member').description('import, export and merge people');
  addImportCommand(members);
  addExportCommand(members);

  members
    .command('merge')
    .argument('<from>', 'e-mail, employee number or id of the record that is given up')
    .argument('<into>', 'that of the record that remains')
    .description('make one person of two records; both addresses and all recognition lead to the one that remains')
    .requiredOption('--workspace <id>', 'the workspace they belong to', positiveInteger)
    .option('--json', 'print one JSON object')
    .action(async (from: string, into: string, { workspace, json }: { workspace: number; json?: boolean }) => {
      const remaining = await withDatabase((database) =>
        database.transaction(async (tx) => {
          const id = await findMember(tx, workspace, into);
          await mergeMembers(tx, workspace, await findMember(tx, workspace, from), id);
          return (await readCurrent(tx, workspace, [id])).get(id) as CurrentMember;
        }),
      );
      print(json, remaining, () => fields({ ...remaining }));
    });
}
