import type { Command } from 'commander';
import { addRecordCommands } from './member-records.ts';
import { addExportCommand } from './members-export.ts';
import { addImportCommand } from './members-import.ts';

export function addMemberCommands(program: Command): void {
  const members = program.command('members').alias('member').description('import, export, merge and split people');
  addImportCommand(members);
  addExportCommand(members);
  addRecordCommands(members);
}
