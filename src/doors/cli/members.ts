import type { Command } from 'commander';
import { addDecisionCommands } from './member-decisions.ts';
import { addRecordCommands } from './member-records.ts';
import { addRightsCommands } from './member-rights.ts';
import { addExportCommand } from './members-export.ts';
import { addImportCommand } from './members-import.ts';

export function addMemberCommands(program: Command): void {
  const members = program
    .command('members')
    .alias('member')
    .description('import, export, merge, split and erase people');
  addImportCommand(members);
  addExportCommand(members);
  addRecordCommands(members);
  addRightsCommands(members);
  addDecisionCommands(members);
}
