import { setImmediate as nextTurn } from 'node:timers/promises';
import Type from 'typebox';
import { serviceAdvice } from '../../../../company/import/advice.ts';
import { headersText } from '../../../../company/import/columns.ts';
import { type ImportOptions, type ImportOutcome, importMembers } from '../../../../company/import/import.ts';
import { ImportQuery, ImportResult, mostListed, mostRejected } from '../../../../ground/contract/member-import.ts';
import type { Database } from '../../../../ground/database/database.ts';
import { asCallersFault, Failure, isUnavailable } from '../../../../ground/errors.ts';
import { shortened } from '../../../../ground/values/text.ts';
import { mebibyte } from '../../body/body-limits.ts';
import { csvFile, needsFile } from './media.ts';
import { importOptions } from './member-import-options.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import { json } from './returns.ts';

/** Enough for 100,000 people with long fields. */
export const maxFileBytes = 24 * mebibyte;
/** An import of that many takes minutes on a busy machine. */
const longestImportMs = 30 * 60_000;
const pieceBytes = 64 * 1024;
const csvTypes = ['text/csv', 'text/plain', 'application/octet-stream'];
const retryAfterSeconds = 10;
/** How many faults a refusal quotes, and how much of each. */
const quotedFaults = 5;
const quotedLength = 200;

export const memberImportRoutes: Routes = async (app, { imports }) => {
  const underWay = new Set<number>();
  app.addContentTypeParser(csvTypes, { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);

  operation(app, 'importMembers', 'POST /import', 'directory:write', {
    actsOutside: true,
    keeps: withoutTexts,
    holdsMs: longestImportMs,
    bodyLimit: maxFileBytes,
    summary: 'Import members from CSV',
    description: `Adds and changes people. The first line names the columns: ${headersText}, or what HR systems call them. Good rows are imported, rows with a fault are returned. With more than ${mostRejected} invalid rows the import stops: a 400 says how far it came and quotes the first faults. A file that cannot be read to its end is a 400 that says how far it came, too. The same file once more changes nothing. A request that is repeated with its Idempotency-Key gets the counts, without texts of the file: they are not stored. If the caller goes away, the import ends with the batch that is under way.`,
    query: ImportQuery,
    body: {
      content: Object.fromEntries(
        csvTypes.map((type) => [
          type,
          { schema: Type.String({ description: 'The file.', examples: ['email,firstName\nnia@example.com,Nia\n'] }) },
        ]),
      ),
    },
    returns: json('What was imported, or would be.', ImportResult),
    preValidation: needsFile(csvFile),
    handler: async (request, reply) => {
      const { workspaceId } = request;
      if (underWay.has(workspaceId)) throw tooMany();
      const stop = new AbortController();
      reply.raw.once('close', () => stop.abort());
      underWay.add(workspaceId);
      try {
        const by = { workspaceId, actor: request.actor };
        return await take(imports, by, request.body as Buffer, request.query, stop);
      } finally {
        underWay.delete(workspaceId);
      }
    },
  });
};

async function take(
  database: Database,
  by: Pick<ImportOptions, 'workspaceId' | 'actor'>,
  file: Buffer,
  query: ImportQuery,
  stop: AbortController,
): Promise<ImportResult> {
  const options = importOptions(query);
  const faults: ImportResult['faults'] = [];
  const rejectedRows: string[] = [];
  const outcome = await importMembers(database, bytesOf(file), {
    ...options,
    ...by,
    advice: serviceAdvice,
    isDryRun: query.dryRun,
    isListing: true,
    mostListed,
    openAgain: () => bytesOf(file),
    signal: stop.signal,
    onRejected: (line, reason) => {
      // The rest of the batch is taken, and nothing after it.
      if (faults.push({ line, reason }) > mostRejected) stop.abort();
    },
    writeRejected: async (text) => void rejectedRows.push(text),
  }).catch((error) => {
    throw asCallersFault(error);
  });
  faults.sort((one, other) => one.line - other.line);
  if (faults.length > mostRejected) throw tooManyFaults(outcome, faults, query.dryRun);
  const { changes, stopped, columns, ...counts } = outcome;
  // Every other error comes again with the same file.
  if (stopped?.error !== undefined && !isUnavailable(stopped.error))
    throw endedBy(stopped.error, outcome, query.dryRun);
  return {
    ...counts,
    dryRun: query.dryRun,
    complete: stopped === null,
    doneToLine: stopped?.doneToLine ?? null,
    columns: columns as Record<string, string>,
    changes: (changes ?? []) as ImportResult['changes'],
    faults: faults.slice(0, mostListed),
    rejectedRows: rejectedRows.length > 0 ? rejectedRows.join('') : null,
  };
}

/** Without what was quoted from the file: dates of birth would be stored with their years. */
function withoutTexts(result: ImportResult): ImportResult {
  return {
    ...result,
    values: [],
    openColumns: [],
    unknownStatuses: [],
    ambiguousDates: [],
    placeholders: [],
    damagedNumbers: [],
    unknownManagers: [],
    faults: [],
    rejectedRows: null,
  };
}

/** In pieces, between which other requests get their turn: blank rows are read without waiting for anything else. */
async function* bytesOf(file: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.length; at += pieceBytes) {
    await nextTurn();
    yield file.subarray(at, at + pieceBytes);
  }
}

/** A fault of the file that was found on the way, with how far the import came. A fault of the service stays what it is. */
function endedBy(cause: unknown, outcome: ImportOutcome, isDryRun: boolean): unknown {
  const error = asCallersFault(cause);
  if (!(error instanceof Failure) || error.kind !== 'invalid') return error;
  return new Failure(
    'invalid',
    `${error.message} The import ended at line ${outcome.stopped?.doneToLine}. ${doneSoFar(outcome, isDryRun)} ` +
      'Correct the file and import it again: rows that are done change nothing.',
    { cause },
  );
}

function doneSoFar({ added, changed }: ImportOutcome, isDryRun: boolean): string {
  if (isDryRun) return 'This was a dry run: nothing was changed.';
  return (
    `The good rows up to there are imported (${added} added, ${changed} changed), ` +
    'except for rows with a former address, managers and leavers, which come last.'
  );
}

function tooManyFaults(outcome: ImportOutcome, faults: ImportResult['faults'], isDryRun: boolean): Failure {
  const quoted = faults
    .slice(0, quotedFaults)
    .map(({ line, reason }) => `line ${line}: ${shortened(reason, quotedLength)}`);
  return new Failure(
    'invalid',
    `More than ${mostRejected} rows have a fault, so the import ended at line ${outcome.stopped?.doneToLine}. ` +
      `${doneSoFar(outcome, isDryRun)} Correct the file, or leave a column out with map, ` +
      `and import it again: rows that are done change nothing. The first faults are: ${quoted.join('; ')}`,
  );
}

function tooMany(): Failure {
  return new Failure('tooMany', 'An import of this workspace is under way already: wait until it has ended.', {
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}
