import { constants, createReadStream, existsSync } from 'node:fs';
import { access, type FileHandle, open, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { type HeaderMap, knownFields } from '../directory/csv/columns.ts';
import { type CurrentMember, readCurrent } from '../directory/csv/current.ts';
import { exportMembers } from '../directory/csv/export.ts';
import { type ImportOutcome, importMembers } from '../directory/csv/import.ts';
import { findMember } from '../directory/members.ts';
import { mergeMembers } from '../directory/merge.ts';
import { Failure } from '../errors.ts';
import { encodingName, headerMap, positiveInteger } from './arguments.ts';
import { fields, print } from './output.ts';
import { withProgress } from './progress.ts';
import { withDatabase } from './session.ts';

interface ImportOptions {
  workspace: number;
  dryRun?: boolean;
  rejected?: string;
  encoding?: string;
  map?: HeaderMap;
  json?: boolean;
}

export function addMemberCommands(program: Command): void {
  const members = program.command('members').alias('member').description('import, export and merge people');

  members
    .command('import')
    .argument('<file>', 'a CSV file whose first line names the columns; - reads standard input')
    .description('add and change people as a CSV file of an HR system has them; good rows are taken, bad ones listed')
    .requiredOption('--workspace <id>', 'the workspace they belong to', positiveInteger)
    .option('--dry-run', 'say what would happen, and change nothing')
    .option('--rejected <file>', 'where bad rows are listed; <file>.rejected.csv when absent')
    .option('--encoding <name>', 'as windows-1252; UTF-8, or what a byte order mark says, when absent', encodingName)
    .option('--map <header=field>', 'read a column as a field, or as ignore; may be given again', headerMap)
    .option('--json', 'print one JSON object')
    .addHelpText('after', `\nFields: ${knownFields.join(', ')}.`)
    .action(importFile);

  members
    .command('export')
    .argument('[file]', 'where to; standard output when absent')
    .description('write people as CSV, in the form that import takes')
    .requiredOption('--workspace <id>', 'the workspace they belong to', positiveInteger)
    .option('--include-inactive', 'also those who have left')
    .option('--json', 'print one JSON object about the file')
    .action(exportFile);

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

async function importFile(file: string, options: ImportOptions): Promise<void> {
  const { workspace, dryRun = false, encoding, map, json } = options;
  const rejectedFile = options.rejected ?? (file === '-' ? 'rejected.csv' : `${file}.rejected.csv`);
  if (resolve(rejectedFile) === resolve(file))
    throw new Failure('invalid', 'Bad rows cannot go to the file that is read.');
  const { bytes, size } = await openInput(file);
  const rejected = await createTextFile(rejectedFile);
  const outcome = await withDatabase((database) =>
    importMembers(database, withProgress(bytes, size), {
      workspaceId: workspace,
      isDryRun: dryRun,
      encoding,
      ...(map && { headers: map }),
      writeRejected: rejected.write,
    }),
  );
  await rejected.end();
  const isClean = outcome.rejected + outcome.withoutManager === 0;
  print(json, { ...outcome, dryRun, rejectedFile: isClean ? null : rejectedFile }, () =>
    describe(outcome, options, rejectedFile),
  );
  // One of an earlier run would be taken for this one's.
  if (isClean && options.rejected === undefined) await rm(rejectedFile, { force: true });
  if (!isClean) process.exitCode = 1;
}

async function openInput(file: string): Promise<{ bytes: AsyncIterable<Uint8Array>; size: number | null }> {
  if (file === '-') return { bytes: process.stdin, size: null };
  const found = await stat(file).catch((cause) => {
    throw new Failure('setup', `${file} cannot be read (${cause.code}).`, { cause });
  });
  if (found.isDirectory()) throw new Failure('setup', `${file} is a directory, and a CSV file is needed.`);
  return { bytes: createReadStream(file), size: found.isFile() ? found.size : null };
}

function describe(outcome: ImportOutcome, { dryRun, map }: ImportOptions, rejectedFile: string): string {
  const { rows, added, changed, unchanged, rejected, withoutManager, notUnderstood, superseded } = outcome;
  const read = Object.entries(outcome.columns).map(([field, header]) => `${field} from "${header}"`);
  const lines = [`Columns read: ${read.join(', ')}.`];
  if (superseded.length > 0) lines.push(`Left out, because another column says the same: ${superseded.join(', ')}.`);
  if (notUnderstood.length > 0)
    lines.push(`Not understood, left out: ${notUnderstood.join(', ')}. Known: ${knownFields.join(', ')}.`);
  lines.push(`${rows} rows: ${added} added, ${changed} changed, ${unchanged} unchanged, ${rejected} rejected.`);
  if (withoutManager > 0) lines.push(`${withoutManager} of those taken have a manager who is not known.`);
  if (rejected + withoutManager > 0) lines.push(`${rejectedFile} says why, line by line.`);
  if (rejected + withoutManager > 0 && !dryRun)
    lines.push(`Mend the rows there and import that file${map ? ', with the same --map' : ''}; the others are done.`);
  if (dryRun) lines.push('This was a dry run: nothing was changed.');
  return lines.join('\n');
}

interface ExportOptions {
  workspace: number;
  includeInactive?: boolean;
  json?: boolean;
}

async function exportFile(file: string | undefined, options: ExportOptions): Promise<void> {
  const { workspace, includeInactive = false, json } = options;
  const output = file === undefined ? standardOutput() : await createTextFile(file);
  const asked = { workspaceId: workspace, includeInactive };
  const people = await withDatabase((database) => exportMembers(database, asked, output.write)).catch((error) => {
    // Whoever read along has enough, as head has.
    if (error?.code === 'EPIPE') return null;
    throw error;
  });
  await output.end();
  if (file !== undefined) print(json, { file, people }, () => `${people} people are in ${file}.`);
}

interface TextOutput {
  write(text: string): Promise<void>;
  end(): Promise<void>;
}

/** A file that is not made before there is something to write; whether it can be is found out before anything happens. */
async function createTextFile(path: string): Promise<TextOutput> {
  const refuse = (cause: NodeJS.ErrnoException) => {
    throw new Failure('setup', `${path} cannot be written (${cause.code}): name a file in another folder.`, { cause });
  };
  await access(existsSync(path) ? path : dirname(resolve(path)), constants.W_OK).catch(refuse);
  let file: FileHandle | undefined;
  return {
    async write(text) {
      file ??= await open(path, 'w').catch(refuse);
      await file.appendFile(text).catch(refuse);
    },
    async end() {
      await file?.close();
    },
  };
}

function standardOutput(): TextOutput {
  // The write that failed says so itself.
  process.stdout.on('error', () => {});
  return { write: (text) => writeText(process.stdout, text), end: async () => {} };
}

function writeText(stream: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
