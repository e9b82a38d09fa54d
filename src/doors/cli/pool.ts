import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import { inWorkspace } from '../../company/workspaces/lock.ts';
import { loadKeys } from '../../giving/gifts/token-keys.ts';
import type { Pool } from '../../ground/contract/pool.ts';
import { Failure } from '../../ground/errors.ts';
import { addCodes } from '../../spending/code-pools/add-codes.ts';
import { addPool, changePool, listPools, readPool } from '../../spending/code-pools/pools.ts';
import { removeCodes } from '../../spending/code-pools/remove-codes.ts';
import { currencyCode, forWorkspace, limitOf, moneyAmount, nameText, positiveInteger } from './arguments.ts';
import { confirm } from './confirm.ts';
import { print, table } from './output.ts';
import { withDatabase, withDatabaseOf } from './session.ts';

interface Options {
  workspace: number;
  json?: boolean;
}

interface Emptying {
  yes?: boolean;
  retailer?: string;
  value?: number;
}

const lowAt = limitOf(100_000);

export function addPoolCommands(program: Command): void {
  const pool = program.command('pool').description('codes of shops that recipients can spend their gifts on');

  forWorkspace(pool.command('list').description('list the pools with what is left in them')).action(
    async ({ workspace, json }: Options) => {
      const pools = await withDatabaseOf(workspace, (database) => listPools(database, workspace));
      print(json, pools, () => listed(pools));
    },
  );

  forWorkspace(pool.command('add').description('add a pool'))
    .argument('<name>', 'what the company calls it', nameText)
    .requiredOption('--currency <code>', 'ISO 4217 code, for example CAD', currencyCode)
    .option('--low <n>', 'how few codes count as low', lowAt)
    .action(async (name: string, { workspace, currency, low, json }: Options & { currency: string; low?: number }) => {
      const asked = { name, currency, ...(low !== undefined && { lowAt: low }) };
      const added = await withDatabase((database) =>
        database.transaction((tx) => addPool(tx, atTheCommandLine, workspace, asked)),
      );
      print(json, added, () => `Pool ${added.id} is there: "giftwire pool upload ${added.id} codes.csv" fills it.`);
    });

  one(pool.command('change').description('change the name of a pool, or how few codes count as low'))
    .option('--name <text>', 'what the company calls it', nameText)
    .option('--low <n>', 'how few codes count as low', lowAt)
    .action(async (id: number, { workspace, name, low, json }: Options & { name?: string; low?: number }) => {
      if (name === undefined && low === undefined) throw new Failure('invalid', 'Say what to change: --name or --low.');
      const change = { ...(name !== undefined && { name }), ...(low !== undefined && { lowAt: low }) };
      const changed = await withDatabase((database) =>
        database.transaction((tx) => changePool(tx, atTheCommandLine, workspace, id, change)),
      );
      print(json, changed, () => listed([changed]));
    });

  one(pool.command('upload').description('add the codes of a CSV file: retailer, value, code, pin, expiry'))
    .argument('<file>', 'the CSV file; if any line is invalid, nothing is stored')
    .action(async (id: number, path: string, { workspace, json }: Options) => {
      const file = await readFile(path).catch((cause) => {
        throw new Failure('setup', `${path} cannot be read (${cause.code}): name another file.`, { cause });
      });
      const { added, pool: filled } = await withDatabase(async (database, config) => {
        const keys = await loadKeys(config.tokenKeys, config.dataDir, database);
        return addCodes(database, keys, atTheCommandLine, workspace, id, file);
      });
      print(json, { added, pool: filled }, () => `${added} codes were added. Delete ${path} now.\n${listed([filled])}`);
    });

  one(pool.command('empty').description('remove unassigned codes, for example after uploading the wrong file'))
    .option('--retailer <name>', 'only codes of this retailer', nameText)
    .option('--value <n>', 'only codes that are worth this', moneyAmount)
    .option('--yes', 'do not ask')
    .action(async (id: number, { workspace, yes, json, retailer, value }: Options & Emptying) => {
      const which = { ...(retailer !== undefined && { retailer }), ...(value !== undefined && { value }) };
      const { removed, pool: rest } = await withDatabase(async (database) => {
        await confirm(`Removes unassigned codes from:\n${listed([await readPool(database, workspace, id)])}`, yes);
        return inWorkspace(database, workspace, (tx) => removeCodes(tx, atTheCommandLine, workspace, id, which));
      });
      print(json, { removed, pool: rest }, () => `${removed} codes were removed.\n${listed([rest])}`);
    });
}

function one(command: Command): Command {
  return forWorkspace(command).argument('<id>', 'the id of the pool', positiveInteger);
}

function listed(pools: readonly Pool[]): string {
  if (pools.length === 0) return 'There is no pool: "giftwire pool add" adds one.';
  const rows = pools.flatMap(({ id, name, currency, stocks }) =>
    stocks.length === 0
      ? [[id, name, 'no codes', '', '', '', '']]
      : stocks.map(({ retailer, value, left, given, expired }) => [
          id,
          name,
          retailer,
          `${value} ${currency}`,
          left,
          given,
          expired,
        ]),
  );
  return table(['Id', 'Pool', 'Retailer', 'Value', 'Left', 'Given', 'Expired'], rows);
}
