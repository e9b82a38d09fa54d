import type { Command } from 'commander';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import { inWorkspace } from '../../company/workspaces/lock.ts';
import { type SpendingOption, type SpendingOptionSetting, taxTypes } from '../../ground/contract/spending-option.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { kindsWith, spendingOptionKinds } from '../../ground/values/spending-kinds.ts';
import { offerSpendingOption } from '../../spending/redemptions/offer.ts';
import { readSpendingOptions } from '../../spending/redemptions/spending-options.ts';
import {
  type AmountOrNone,
  amountOrNone,
  currencyCodes,
  forWorkspace,
  limitOf,
  nameText,
  oneOfWords,
  orNull,
  positiveInteger,
  spendingOptionId,
  webAddress,
} from './arguments.ts';
import { print, table } from './output.ts';
import { withDatabase, withDatabaseOf } from './session.ts';

interface Options {
  workspace: number;
  json?: boolean;
}

interface SetOptions extends Options {
  kind?: SpendingOption['kind'];
  name?: string;
  description?: string;
  currencies?: string[];
  min?: AmountOrNone;
  max?: AmountOrNone;
  parts?: boolean;
  on?: true;
  off?: true;
  position?: number;
  taxType?: SpendingOption['taxType'];
  link?: string;
  pool?: number;
}

export function addSpendingOptionCommands(program: Command): void {
  const option = program.command('spending-option').description('what recipients can spend their gifts on');

  forWorkspace(option.command('list').description('list the spending options, also those that are off')).action(
    async ({ workspace, json }: Options) => {
      const spendingOptions = await withDatabaseOf(workspace, (database) => readSpendingOptions(database, workspace));
      print(json, spendingOptions, () => listed(spendingOptions));
    },
  );

  settable(
    forWorkspace(option.command('set').description('add a spending option, or change the given settings of one')),
  )
    .argument('<id>', 'a word for the spending option, for example book-shop; payroll is "payroll"', spendingOptionId)
    .action(async (id: string, { workspace, json, ...asked }: SetOptions) => {
      const set = await withDatabase((database) =>
        inWorkspace(database, workspace, async (tx) =>
          offerSpendingOption(tx, atTheCommandLine, workspace, id, await settingOf(tx, workspace, id, asked)),
        ),
      );
      print(json, set, () => listed([set]));
    });
}

function settable(command: Command): Command {
  return command
    .option('--kind <kind>', spendingOptionKinds.join(', '), oneOfWords(spendingOptionKinds))
    .option('--name <text>', 'what recipients read', nameText)
    .option('--description <text>', 'what else recipients read')
    .option('--currencies <codes>', 'only gifts in these, as CAD,USD; or all', currencyCodes)
    .option('--min <amount>', 'the least that can be spent at once, or "none"', amountOrNone)
    .option('--max <amount>', 'the most that can be spent at once, or "none"', amountOrNone)
    .option('--parts', 'a part of a gift can be spent')
    .option('--no-parts', 'only all that is left of a gift can be spent')
    .option('--on', 'recipients can choose it')
    .option('--off', 'recipients cannot choose it')
    .option('--position <n>', 'spending options are listed by position', limitOf(1_000))
    .option('--tax-type <type>', `${taxTypes.join(', ')}: what the tax log says`, oneOfWords(taxTypes))
    .option('--link <url>', 'of a till: the address of the shop; {code} in it is the code of the gift', webAddress)
    .option(
      '--pool <id>',
      `of the kind ${kindsWith('setting', 'poolId').join(' or ')}: the pool of codes`,
      positiveInteger,
    );
}

/** What was named, and the rest of the spending option as it is. */
async function settingOf(
  tx: Queryable,
  workspaceId: number,
  id: string,
  { min, max, parts, on, off, pool, currencies, ...same }: Omit<SetOptions, 'workspace' | 'json'>,
): Promise<SpendingOptionSetting> {
  if (on && off) throw new Failure('invalid', 'Say either --on or --off.');
  const earlier = (await readSpendingOptions(tx, workspaceId)).find((option) => option.id === id);
  const { id: _id, ...rest } = earlier ?? { id };
  const named: Partial<SpendingOptionSetting> = {
    ...same,
    ...(min !== undefined && { minAmount: orNull(min) }),
    ...(max !== undefined && { maxAmount: orNull(max) }),
    ...(currencies !== undefined && { currencies: currencies.length > 0 ? currencies : null }),
    ...(parts !== undefined && { allowsParts: parts }),
    ...((on || off) && { isOn: on === true }),
    ...(pool !== undefined && { poolId: pool }),
  };
  const setting: Partial<SpendingOptionSetting> = { ...rest, ...named };
  const { kind, name } = setting;
  if (kind === undefined || name === undefined)
    throw new Failure('invalid', 'A new spending option needs --kind and --name.');
  return { ...setting, kind, name };
}

function listed(spendingOptions: readonly SpendingOption[]): string {
  const rows = spendingOptions.map(({ id, kind, name, isOn, currencies, minAmount, maxAmount, allowsParts }) => [
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
