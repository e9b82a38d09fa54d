import type { Command } from 'commander';
import { atTheCommandLine } from '../../company/access/audit.ts';
import { inWorkspace } from '../../company/workspaces/lock.ts';
import { checkWorkspace } from '../../company/workspaces/workspaces.ts';
import { taxTypes, type Way, type WaySetting, wayKinds } from '../../ground/contract/way.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { offerWay } from '../../spending/redemptions/offer.ts';
import { readWays } from '../../spending/redemptions/ways.ts';
import {
  type AmountOrNone,
  amountOrNone,
  currencyCodes,
  limitOf,
  nameText,
  oneOfWords,
  orNull,
  positiveInteger,
  wayId,
  webAddress,
} from './arguments.ts';
import { print, table } from './output.ts';
import { withDatabase } from './session.ts';

interface Options {
  workspace: number;
  json?: boolean;
}

interface SetOptions extends Options {
  kind?: Way['kind'];
  name?: string;
  description?: string;
  currencies?: string[];
  min?: AmountOrNone;
  max?: AmountOrNone;
  parts?: boolean;
  on?: true;
  off?: true;
  position?: number;
  taxType?: Way['taxType'];
  link?: string;
  pool?: number;
}

export function addWayCommands(program: Command): void {
  const way = program.command('way').description('ways in which recipients can spend their gifts');

  of(way.command('list').description('list the ways, also those that are off'))
    .option('--json', 'print one JSON array')
    .action(async ({ workspace, json }: Options) => {
      const ways = await withDatabase(async (database) => {
        await checkWorkspace(database, workspace);
        return readWays(database, workspace);
      });
      print(json, ways, () => listed(ways));
    });

  settable(of(way.command('set').description('add a way, or change what is named of one that is there')))
    .argument('<id>', 'a word for the way, as book-shop; payroll is "payroll"', wayId)
    .action(async (id: string, { workspace, json, ...asked }: SetOptions) => {
      const set = await withDatabase((database) =>
        inWorkspace(database, workspace, async (tx) =>
          offerWay(tx, atTheCommandLine, workspace, id, await settingOf(tx, workspace, id, asked)),
        ),
      );
      print(json, set, () => listed([set]));
    });
}

function settable(command: Command): Command {
  return command
    .option('--kind <kind>', wayKinds.join(', '), oneOfWords(wayKinds))
    .option('--name <text>', 'what recipients read', nameText)
    .option('--description <text>', 'what else recipients read')
    .option('--currencies <codes>', 'only gifts in these, as CAD,USD; or all', currencyCodes)
    .option('--min <amount>', 'the least that can be spent at once, or none', amountOrNone)
    .option('--max <amount>', 'the most that can be spent at once, or none', amountOrNone)
    .option('--parts', 'a part of a gift can be spent')
    .option('--no-parts', 'only all that is left of a gift can be spent')
    .option('--on', 'recipients can choose it')
    .option('--off', 'recipients cannot choose it')
    .option('--position <n>', 'ways are listed by position', limitOf(1_000))
    .option('--tax-type <type>', `${taxTypes.join(', ')}: what the tax log says`, oneOfWords(taxTypes))
    .option('--link <url>', 'of a till: the address of the shop; {code} in it is the code of the gift', webAddress)
    .option('--pool <id>', 'of the kind POOL: its codes', positiveInteger)
    .option('--json', 'print one JSON object');
}

/** What was named, and the rest of the way as it is. */
async function settingOf(
  tx: Queryable,
  workspaceId: number,
  id: string,
  { min, max, parts, on, off, pool, currencies, ...same }: Omit<SetOptions, 'workspace' | 'json'>,
): Promise<WaySetting> {
  if (on && off) throw new Failure('invalid', 'Say either --on or --off.');
  const earlier = (await readWays(tx, workspaceId)).find((way) => way.id === id);
  const { id: _id, ...rest } = earlier ?? { id };
  const named: Partial<WaySetting> = {
    ...same,
    ...(min !== undefined && { minAmount: orNull(min) }),
    ...(max !== undefined && { maxAmount: orNull(max) }),
    ...(currencies !== undefined && { currencies: currencies.length > 0 ? currencies : null }),
    ...(parts !== undefined && { allowsParts: parts }),
    ...((on || off) && { isOn: on === true }),
    ...(pool !== undefined && { poolId: pool }),
  };
  const setting: Partial<WaySetting> = { ...rest, ...named };
  const { kind, name } = setting;
  if (kind === undefined || name === undefined) throw new Failure('invalid', 'A new way needs --kind and --name.');
  return { ...setting, kind, name };
}

function of(command: Command): Command {
  return command.requiredOption('--workspace <id>', 'the workspace', positiveInteger);
}

function listed(ways: readonly Way[]): string {
  const rows = ways.map(({ id, kind, name, isOn, currencies, minAmount, maxAmount, allowsParts }) => [
    id,
    kind,
    name,
    isOn ? 'on' : 'off',
    currencies?.join(', ') ?? 'all',
    minAmount ?? '',
    maxAmount ?? '',
    allowsParts ? 'yes' : 'no',
  ]);
  return table(['Id', 'Kind', 'Name', 'State', 'Currencies', 'Min', 'Max', 'Parts'], rows);
}
