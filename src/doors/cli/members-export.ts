import type { Command } from 'commander';
import { auditRead, fileRead } from '../../company/access/read-traces.ts';
import { exportMembers } from '../../company/import/export.ts';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import { positiveInteger } from './arguments.ts';
import { counted, print } from './output.ts';
import { withDatabaseOf } from './session.ts';
import { createTextFile, standardOutput } from './text-file.ts';

interface ExportOptions {
  workspace: number;
  includeInactive?: boolean;
  bom?: boolean;
  json?: boolean;
}

export function addExportCommand(members: Command): void {
  members
    .command('export')
    .argument('[file]', 'the file to write (default: standard output)')
    .description('write people as CSV, in the form that import takes')
    .requiredOption('--workspace <id>', 'the workspace they belong to', positiveInteger)
    .option('--include-inactive', 'also those who have left')
    .option('--bom', 'begin with a byte order mark, so that Excel reads the file as UTF-8')
    .option('--json', 'print one JSON object about the file')
    .action(exportFile);
}

async function exportFile(file: string | undefined, options: ExportOptions): Promise<void> {
  const { workspace, includeInactive = false, bom, json } = options;
  const output = file === undefined ? standardOutput() : await createTextFile(file);
  const asked = { workspaceId: workspace, includeInactive, ...(bom && { begin: byteOrderMark }) };
  const people = await withDatabaseOf(workspace, async (database) => {
    await auditRead(database, workspace, atTheCommandLine, fileRead('members'));
    return exportMembers(database, asked, output.write);
  }).catch((error) => {
    // The reader has closed the pipe, as `head` does when it has enough.
    if (error?.code === 'EPIPE') return null;
    throw error;
  });
  await output.end();
  if (file !== undefined && people !== null)
    print(json, { file, people }, () => `${counted(people, 'person', 'people')} in ${file}.`);
}

const byteOrderMark = '\ufeff';
