import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Command } from 'commander';
import { changesText } from '../../company/import/changes.ts';
import { fieldsText, type HeaderMap } from '../../company/import/columns.ts';
import { importMembers } from '../../company/import/import.ts';
import type { ValueMap } from '../../company/import/person.ts';
import type { Renumbering } from '../../company/import/plan.ts';
import type { StatusMap } from '../../company/import/status.ts';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import { Failure } from '../../ground/errors.ts';
import type { DateFormat } from '../../ground/sheets/dates.ts';
import { encodingName, headerMap, positiveInteger } from './arguments.ts';
import { dateFormat, leaverCount, renumbering, statusMap, valueMap } from './import-arguments.ts';
import { describeImport } from './import-report.ts';
import { print } from './output.ts';
import { withProgress } from './progress.ts';
import { withDatabaseOf } from './session.ts';
import { stopOnSignal, untilAborted } from './stopping.ts';
import { createTextFile } from './text-file.ts';

interface ImportOptions {
  workspace: number;
  dryRun?: boolean;
  rejected?: string;
  changes?: string;
  encoding?: string;
  map?: HeaderMap;
  status?: StatusMap;
  value?: ValueMap;
  dateFormat?: DateFormat;
  renumber?: Renumbering;
  allowLeavers?: number;
  json?: boolean;
}

export function addImportCommand(members: Command): void {
  members
    .command('import')
    .argument('<file>', 'a CSV file whose first line names the columns; - reads standard input')
    .description('add and change people from a CSV file; good rows are imported, bad rows are written to a file')
    .requiredOption('--workspace <id>', 'the workspace they belong to', positiveInteger)
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--changes <file>', 'write a CSV file of all people who are added or changed')
    .option('--rejected <file>', 'write rejected rows to this file (default: <file>.rejected.csv)')
    .option('--encoding <name>', 'for example windows-1252 (default: the byte order mark, else UTF-8)', encodingName)
    .option(
      '--map <header=field>',
      'read a column as this field, or ignore it (header=ignore); may be given again',
      headerMap,
    )
    .option('--status <status=meaning>', 'what your own statuses mean, for example A=active,T=left', statusMap)
    .option(
      '--value <field:value=meaning>',
      'replace a value, for example "location:YUL=Montréal"; may be given again',
      valueMap,
    )
    .option('--date-format <format>', 'how dates are written: DD/MM/YYYY or MM/DD/YYYY, for example', dateFormat)
    .option(
      '--renumber <addresses>',
      'people with these addresses, or all, may get another employee number',
      renumbering,
    )
    .option('--allow-leavers <n>', 'how many people the file may make leavers (default: a tenth)', leaverCount)
    .option('--json', 'print one JSON object; in a dry run it lists all people who would be added or changed')
    .addHelpText('after', `\nFields: ${fieldsText}.`)
    .action(importFile);
}

async function importFile(file: string, options: ImportOptions): Promise<void> {
  const { workspace, dryRun = false, json } = options;
  const rejectedFile = options.rejected ?? (file === '-' ? 'rejected.csv' : `${file}.rejected.csv`);
  const files = [file, rejectedFile, ...(options.changes === undefined ? [] : [options.changes])].map((one) =>
    resolve(one),
  );
  if (new Set(files).size < files.length)
    throw new Failure('invalid', 'Bad rows and changes cannot go to the file that is read, nor to the same file.');
  const { bytes, size } = await openInput(file);
  const rejected = await createTextFile(rejectedFile);
  const changesFile = options.changes === undefined ? null : await createTextFile(options.changes);
  const stopping = stopOnSignal('Stopping after the batch that is under way. Press Ctrl-C again to stop at once.');
  const { changes, stopped, ...outcome } = await withDatabaseOf(workspace, async (database) => {
    return importMembers(database, withProgress(untilAborted(bytes, stopping.signal), size), {
      workspaceId: workspace,
      actor: atTheCommandLine,
      isDryRun: dryRun,
      encoding: options.encoding,
      headers: options.map,
      statuses: options.status,
      values: options.value,
      dateFormat: options.dateFormat,
      renumbering: options.renumber,
      allowedLeavers: options.allowLeavers,
      isListing: dryRun || changesFile !== null,
      // A pipe can be read only once.
      openAgain: size === null ? undefined : () => createReadStream(file),
      signal: stopping.signal,
      writeRejected: rejected.write,
    });
  });
  stopping.end();
  // Standard input that is still open would keep the program waiting.
  bytes.destroy();
  await rejected.end();
  if (changesFile !== null) await changesFile.write(changesText(changes ?? []));
  await changesFile?.end();
  const hasRejected = outcome.rejected + outcome.withoutManager > 0;
  const { error, ...place } = stopped ?? { error: undefined };
  const result = {
    ...outcome,
    dryRun,
    rejectedFile: hasRejected ? rejectedFile : null,
    ...(options.changes !== undefined && { changesFile: options.changes }),
    stopped: stopped && place,
    ...(dryRun && { changes }),
  };
  print(json, result, () =>
    describeImport(
      { ...outcome, changes: dryRun ? changes : null, stopped },
      { dryRun, hasMap: options.map !== undefined, rejectedFile, changesFile: options.changes },
    ),
  );
  // Without this, the file of an earlier run would look like this run's.
  if (!hasRejected && options.rejected === undefined) await rm(rejectedFile, { force: true });
  if (error !== undefined) throw error;
  const isClean = !hasRejected && outcome.heldBack === 0;
  process.exitCode = stopped ? (stopping.exitCode() ?? 1) : isClean ? 0 : 1;
}

async function openInput(file: string): Promise<{ bytes: Readable; size: number | null }> {
  if (file === '-') return { bytes: process.stdin, size: null };
  const found = await stat(file).catch((cause) => {
    throw new Failure('setup', `${file} cannot be read (${cause.code}).`, { cause });
  });
  if (found.isDirectory()) throw new Failure('setup', `${file} is a directory, and a CSV file is needed.`);
  return { bytes: createReadStream(file), size: found.isFile() ? found.size : null };
}
