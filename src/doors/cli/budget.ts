import type { Command } from 'commander';
import { findMember } from '../../company/directory/members.ts';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import { listEntries } from '../../giving/budgets/entries.ts';
import { type Granted, grantMoney, withdrawMoney } from '../../giving/budgets/grants.ts';
import { addBudget, changeBudget, closeBudget } from '../../giving/budgets/manage.ts';
import { eachBudget, readBudget } from '../../giving/budgets/read.ts';
import type { Budget, BudgetChange } from '../../ground/contract/budget.ts';
import type { LedgerEntryPage } from '../../ground/contract/ledger-entry.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { dashedName, spacedName, type UnitField, unitFields } from '../../ground/values/member.ts';
import { amountText } from '../../ground/values/money.ts';
import {
  type AmountOrNone,
  amountOrNone,
  currencyCode,
  forWorkspace,
  limitOf,
  moneyAmount,
  orNull,
  percentList,
  positiveInteger,
  reasonText,
} from './arguments.ts';
import { cell, fields, print, table } from './output.ts';
import { withDatabase, withDatabaseOf } from './session.ts';

interface Options {
  workspace: number;
  json?: boolean;
}

interface TermOptions extends Options {
  giftLimit?: AmountOrNone;
  monthly?: AmountOrNone;
  yearly?: AmountOrNone;
  low?: number[];
  personCap?: AmountOrNone;
  lapses?: 'month' | 'year' | 'none';
}

type UnitOptions = { [Name in UnitField]?: string };

type SetOptions = TermOptions &
  UnitOptions & { member?: string; team?: string; currency: string; amount?: number; note?: string };

export function addBudgetCommands(program: Command): void {
  const budget = program.command('budget').description('set budgets, grant money to them, see what is left');
  addReadCommands(budget);
  addTermCommands(budget);
  addMoneyCommand(budget, 'grant', 'grant money to a budget', grantMoney);
  addMoneyCommand(budget, 'withdraw', 'take back what is available in a budget', withdrawMoney);

  one(budget.command('close').description('close a budget: what is available is withdrawn')).action(
    async (id: number, { workspace, json }: Options) => {
      await change(async (tx) => closeBudget(tx, atTheCommandLine, workspace, id));
      print(json, { id, closed: true }, () => `Budget ${id} is closed: orders draw on another one, or on none.`);
    },
  );
}

function addReadCommands(budget: Command): void {
  forWorkspace(budget.command('list').description('list the budgets with their balances'))
    .option('--all', 'also those that are closed')
    .action(async ({ workspace, all, json }: Options & { all?: true }) => {
      const budgets = await withDatabaseOf(workspace, async (database) => {
        const found: Budget[] = [];
        for await (const some of eachBudget(database, workspace, { includeClosed: all ?? false })) found.push(...some);
        return found;
      });
      print(json, budgets, () => listed(budgets));
    });

  one(budget.command('show').description('show a budget')).action(async (id: number, { workspace, json }: Options) => {
    const found = await withDatabase((database) => readBudget(database, workspace, id));
    print(json, found, () => describe(found));
  });

  one(budget.command('entries').description('list what moved the money of a budget, the newest first'))
    .option('--page <n>', 'which page, the first is 1', positiveInteger, 1)
    .option('--size <n>', 'how many on a page, up to 1000', limitOf(1_000), 20)
    .action(async (id: number, { workspace, page, size, json }: Options & { page: number; size: number }) => {
      const found = await withDatabase((database) => listEntries(database, workspace, id, { page: page - 1, size }));
      print(json, found, () => describeEntries(found));
    });
}

function addTermCommands(budget: Command): void {
  const set = terms(forWorkspace(budget.command('set').description('set a budget: orders draw on it from now on')))
    .requiredOption('--currency <code>', 'ISO 4217 code, for example CAD', currencyCode)
    .option('--member <who>', "email, employee number or id of the member who sends (default: the workspace's budget)")
    .option('--team <name>', 'the team whose members share it');
  units(set, (name) => `the ${name} whose people share it`)
    .option('--amount <amount>', 'granted at once', moneyAmount)
    .option('--note <text>', 'what the grant is for', reasonText)
    .action(async ({ workspace, currency, member, team, amount, note, json, ...given }: SetOptions) => {
      const added = await change(async (tx) =>
        addBudget(tx, atTheCommandLine, workspace, {
          currency,
          ...(member !== undefined && { memberId: await findMember(tx, workspace, member) }),
          ...(team !== undefined && { team }),
          ...unitsOf(given),
          ...(amount !== undefined && { amount }),
          ...(note !== undefined && { note }),
          ...termsOf(given),
        }),
      );
      print(json, added, () => describe(added));
    });

  const changing = budget
    .command('change')
    .description('change the limits, the allowance, the thresholds or the owner name of a budget');
  terms(one(changing));
  units(changing, (name) => `the new name of its ${name}`).action(
    async (id: number, { workspace, json, ...given }: TermOptions & UnitOptions) => {
      const changes: BudgetChange = { ...termsOf(given), ...unitsOf(given) };
      if (Object.keys(changes).length === 0)
        throw new Failure(
          'invalid',
          'Say what to change: --gift-limit, --person-cap, --monthly, --yearly, --lapses, --low, --cost-centre or --department.',
        );
      const changed = await change((tx) => changeBudget(tx, atTheCommandLine, workspace, id, changes));
      print(json, changed, () => describe(changed));
    },
  );
}

/** An option for each group whose people can share a budget. */
function units(command: Command, describe: (name: string) => string): Command {
  for (const name of unitNames) command.option(`--${dashedName(name)} <name>`, describe(spacedName(name)));
  return command;
}

const unitNames = unitFields.toSorted();

function unitsOf(given: UnitOptions): UnitOptions {
  return Object.fromEntries(unitNames.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
}

function terms(command: Command): Command {
  return command
    .option('--gift-limit <amount>', 'the most that one gift may cost; none: no limit', amountOrNone)
    .option('--monthly <amount>', 'granted now and at the beginning of every month; none: no allowance', amountOrNone)
    .option('--yearly <amount>', 'granted now and at the beginning of every year; none: no allowance', amountOrNone)
    .option('--person-cap <amount>', 'the most that one person draws in a month; none: no cap', amountOrNone)
    .addOption(
      command
        .createOption('--lapses <when>', 'what is left lapses at the end of each month or year; none: it stays')
        .choices(['month', 'year', 'none']),
    )
    .option('--low <percents>', 'thresholds of budget.low, for example 50,20', percentList);
}

function termsOf({ giftLimit, monthly, yearly, low, personCap, lapses }: Omit<TermOptions, 'workspace'>): BudgetChange {
  const allowance = allowanceOf(monthly, yearly);
  return {
    ...(giftLimit !== undefined && { giftLimit: orNull(giftLimit) }),
    ...(allowance !== undefined && { allowance }),
    ...(low !== undefined && { lowPercents: low }),
    ...(personCap !== undefined && { personCap: orNull(personCap) }),
    ...(lapses !== undefined && { lapses: periods[lapses] }),
  };
}

const periods = { month: 'MONTH', year: 'YEAR', none: null } as const;

/** An amount counts more than `none`: it takes the place of the allowance that there was. */
function allowanceOf(monthly?: AmountOrNone, yearly?: AmountOrNone): BudgetChange['allowance'] {
  if (typeof monthly === 'number' && typeof yearly === 'number')
    throw new Failure('invalid', 'A budget has one allowance: give an amount with --monthly or with --yearly.');
  if (typeof monthly === 'number') return { amount: monthly, every: 'MONTH' };
  if (typeof yearly === 'number') return { amount: yearly, every: 'YEAR' };
  return monthly === undefined && yearly === undefined ? undefined : null;
}

function addMoneyCommand(budget: Command, name: string, description: string, move: typeof grantMoney): void {
  one(budget.command(name).description(description))
    .argument('<amount>', 'how much', moneyAmount)
    .option('--note <text>', 'what for', reasonText)
    .action(async (id: number, amount: number, { workspace, note, json }: Options & { note?: string }) => {
      const request = { amount, ...(note !== undefined && { note }) };
      const moved: Granted = await change((tx) => move(tx, atTheCommandLine, workspace, id, request));
      const after = await withDatabase((database) => readBudget(database, workspace, id));
      print(json, moved.entry, () => describe(after));
    });
}

function change<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
  return withDatabase((database) => database.transaction(work));
}

function one(command: Command): Command {
  return forWorkspace(command).argument('<id>', 'the id of the budget', positiveInteger);
}

function ownerOf(budget: Budget): string {
  const { kind, member, team } = budget;
  const unit = unitNames.find((name) => budget[name] !== null);
  if (kind === 'UNLIMITED') return 'gifts without a budget';
  if (team) return `team ${team.name || team.id}`;
  if (unit) return `${spacedName(unit)} ${budget[unit]}`;
  return member ? `${member.firstName} ${member.lastName}`.trim() || `member ${member.id}` : 'the workspace';
}

function listed(budgets: readonly Budget[]): string {
  if (budgets.length === 0) return 'There is no budget: orders are not limited. "giftwire budget set" sets one.';
  const rows = budgets.map((budget) => [
    budget.id,
    ownerOf(budget),
    ...[budget.granted, budget.available, budget.committed, budget.spent].map((value) =>
      amountText(value, budget.currency),
    ),
    budget.closedAt === null ? '' : 'closed',
  ]);
  return table(['Id', 'Of', 'Granted', 'Available', 'Committed', 'Spent', ''], rows);
}

function describe(budget: Budget): string {
  const { id, currency, giftLimit, personCap, allowance, lapses, lapsesAt } = budget;
  const amount = (value: number) => amountText(value, currency);
  return fields({
    id,
    of: ownerOf(budget),
    granted: amount(budget.granted),
    available: amount(budget.available),
    committed: amount(budget.committed),
    issued: amount(budget.issued),
    redeemed: amount(budget.redeemed),
    'gift limit': giftLimit === null ? null : amount(giftLimit),
    'person cap': personCap === null ? null : `${amount(personCap)} each month`,
    allowance:
      allowance && `${amount(allowance.amount)} every ${allowance.every.toLowerCase()}, next ${allowance.nextAt}`,
    lapses: lapses && `every ${lapses.toLowerCase()}, next ${lapsesAt}`,
    thresholds: budget.lowPercents.map((percent) => `${percent} %`),
    entries: budget.entries,
    head: budget.head,
    ...(budget.closedAt !== null && { closed: budget.closedAt }),
  });
}

function describeEntries({ entries, page, totalPages }: LedgerEntryPage): string {
  if (entries.length === 0) return 'There is no entry here.';
  const rows = entries.map(({ number, at, type, amount, lines, note }) => [
    number,
    cell(new Date(at)),
    type,
    amount,
    lines === 0 ? '' : lines,
    note ?? '',
  ]);
  const more = page + 1 < totalPages ? `\nOlder ones: add --page ${page + 2}` : '';
  return `${table(['Number', 'At', 'Type', 'Amount', 'Orders or gifts', 'Note'], rows)}${more}`;
}
