import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { readConfig } from '../../ground/config/config.ts';
import { parseDatabaseUrl } from '../../ground/config/texts.ts';
import type { Database } from '../../ground/database/database.ts';
import { checkEnvironment } from '../../ground/database/environment.ts';
import { startHistory } from '../../ground/database/history.ts';
import { type CopiedTable, moveDatabase, reopenDatabase } from '../../ground/database/move.ts';
import { pools } from '../../ground/database/pools.ts';
import { Failure } from '../../ground/errors.ts';
import { placeOf } from '../../ground/values/database-url.ts';
import { verifyLedger } from '../../insight/books/verify.ts';
import { giftwire } from './call.ts';
import { confirm } from './confirm.ts';
import { addSizesCommand } from './database-sizes.ts';
import { counted, print } from './output.ts';
import { withRawDatabase } from './session.ts';

export function addDatabaseCommands(program: Command): void {
  const database = program
    .command('database')
    .description('sizes of tables; move the installation to another PostgreSQL');

  addSizesCommand(database);

  database
    .command('move <url>')
    .description(
      'copy everything to an empty database on another PostgreSQL, compare both, and close this one; "-" reads the URL from standard input',
    )
    .option('--json', 'print one JSON object')
    .action(move);

  database
    .command('reopen')
    .description('use a database again that was moved; what was written to its copy since then is not in it')
    .option('--yes', 'do not ask first')
    .option('--json', 'print one JSON object')
    .action(reopen);
}

async function move(url: string, { json }: { json?: boolean }): Promise<void> {
  const config = readConfig();
  const targetUrl = parseDatabaseUrl(url === '-' ? (await text(process.stdin)).trim() : url, 'The URL of the target');
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, 'postgres')))
    throw new Failure(
      'setup',
      `There is no embedded database in ${config.dataDir}: set GIFTWIRE_DATA_DIR to its folder.`,
    );
  const began = performance.now();
  const copied = await withRawDatabase(
    config,
    async (source) => {
      await checkEnvironment(source, config.environment);
      return moveDatabase({
        source,
        targetUrl,
        onCopied: show,
        onLeftOut: (tables) => console.error(`Left out tables that are not Giftwire's: ${tables.join(', ')}.`),
        verify: (copy) => compareBooks(source, copy),
      });
    },
    pools.longCommands,
    { isAlone: true },
  );
  const seconds = Math.round((performance.now() - began) / 1_000);
  const rows = copied.reduce((sum, one) => sum + one.rows, 0);
  print(json, { movedTo: placeOf(targetUrl), tables: copied, rows, seconds }, () =>
    nextSteps(placeOf(targetUrl), copied.length, rows, seconds),
  );
}

function show({ table, rows, seconds }: CopiedTable): void {
  console.error(
    `${table.padEnd(24)} ${rows.toLocaleString('en').padStart(12)} rows  ${seconds.toFixed(1).padStart(7)} s`,
  );
}

/** What does not agree in the source does not agree in an exact copy either, and is no reason to stay. */
async function compareBooks(source: Database, copy: Database): Promise<void> {
  const { faults } = await verifyLedger(copy);
  if (faults.length === 0) return;
  const before = await verifyLedger(source);
  if (JSON.stringify(before.faults) !== JSON.stringify(faults))
    throw new Error(`the books of the copy have ${counted(faults.length, 'problem')} that the source does not have`);
  console.error(
    `"${giftwire} ledger verify" finds ${counted(faults.length, 'problem')}, here and in the copy: they are older than this move.`,
  );
}

function nextSteps(place: string, tables: number, rows: number, seconds: number): string {
  return [
    `Copied ${counted(tables, 'table')} with ${rows.toLocaleString('en')} rows to ${place} in ${seconds} s. Row counts, checksums, sequences and books agree.`,
    'Giftwire no longer starts on the database here. It stays as it was, for a way back. Next:',
    '',
    '1. Set DATABASE_URL to the URL that you gave here, for every node and command.',
    '2. Keep GIFTWIRE_DATA_DIR or GIFTWIRE_TOKEN_KEY as it is: the gifts need the token key.',
    `3. Start Giftwire, and check it: ${giftwire} doctor`,
    '4. Back the new server up (docs/operate.md, Back up).',
    '',
    `The way back, without what happened since: ${giftwire} database reopen`,
  ].join('\n');
}

async function reopen({ yes, json }: { yes?: boolean; json?: boolean }): Promise<void> {
  await withRawDatabase(
    readConfig(),
    async (database) => {
      await confirm(
        'This database becomes usable again. Gifts, orders and people that were added to its copy are not here. Stop every node that uses the copy ' +
          'first, and never start one on it again: a gift could be spent in both.',
        yes,
      );
      await reopenDatabase(database, (reason) => startHistory(database, reason));
    },
    pools.commands,
    { isAlone: true },
  );
  print(json, { reopened: true }, () => 'The database can be used again. Ids and numbers continue far ahead.');
}
