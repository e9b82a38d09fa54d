import { type Command, Option } from 'commander';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import { inWorkspace } from '../../company/workspaces/lock.ts';
import { addRule, changeRule, deleteRule, listRules, readRule } from '../../giving/approvals/rules.ts';
import {
  type Approver,
  type NewRule,
  type Rule,
  type RuleChange,
  type RuleSource,
  ruleMeasures,
} from '../../ground/contract/rule.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { amountText } from '../../ground/values/money.ts';
import {
  currencyCode,
  forWorkspace,
  limitOf,
  messageText,
  moneyAmount,
  nameText,
  oneOfWords,
  positiveInteger,
} from './arguments.ts';
import { confirm } from './confirm.ts';
import { fields, print, table } from './output.ts';
import { approverList, approverText, ruleSource, sourceText } from './rule-arguments.ts';
import { withDatabase, withDatabaseOf } from './session.ts';

interface Options {
  workspace: number;
  json?: boolean;
  yes?: boolean;
}

interface TermOptions extends Options {
  name?: string;
  measure?: Rule['measure'];
  currency?: string;
  above?: number;
  from?: RuleSource;
  ask?: Approver[];
  thenAsk?: Approver[];
  days?: number;
  reject?: string;
  position?: number;
  on?: true;
  off?: true;
}

export function addRuleCommands(program: Command): void {
  const rule = program.command('rule').description('decide which orders wait for approval, and which are rejected');

  forWorkspace(rule.command('list').description('list the rules in the order in which they are tried')).action(
    async ({ workspace, json }: Options) => {
      const rules = await withDatabaseOf(workspace, (database) => listRules(database, workspace));
      print(json, rules, () => listed(rules));
    },
  );

  one(rule.command('show').description('show a rule')).action(async (id: number, { workspace, json }: Options) => {
    const found = await withDatabase((database) => readRule(database, workspace, id));
    print(json, found, () => describe(found));
  });

  terms(
    forWorkspace(rule.command('add').description('add a rule, for new orders alone')).argument(
      '<name>',
      'its name',
      nameText,
    ),
    true,
  )
    .option('--off', 'do not apply it yet')
    .action(async (name: string, { workspace, json, ...given }: TermOptions) => {
      if (!given.ask && given.reject === undefined)
        throw new Failure('invalid', 'Say what the rule does: --ask for approval, or --reject with a message.');
      if (given.ask && given.days === undefined)
        throw new Failure('invalid', 'Say how many days approvers have with --days: then Giftwire declines the order.');
      const added = await change(workspace, (tx) =>
        addRule(tx, atTheCommandLine, workspace, { ...termsOf(given), name } as NewRule),
      );
      print(json, added, () => describe(added));
    });

  terms(one(rule.command('change').description('change a rule: what is left out stays as it is')), false)
    .option('--name <name>', 'its name', nameText)
    .addOption(new Option('--on', 'apply it from now on').conflicts('off'))
    .option('--off', 'no longer apply it')
    .action(async (id: number, { workspace, json, ...given }: TermOptions) => {
      const wanted = changeOf(given);
      if (Object.keys(wanted).length === 0)
        throw new Failure('invalid', 'Say what to change, for example --above 300.');
      const changed = await change(workspace, (tx) => changeRule(tx, atTheCommandLine, workspace, id, wanted));
      print(json, changed, () => describe(changed));
    });

  one(rule.command('delete').description('delete a rule; orders that wait because of it keep waiting'))
    .option('--yes', 'do not ask: for scripts')
    .action(async (id: number, { workspace, json, yes }: Options) => {
      await withDatabase(async (database) => {
        await confirm(`This deletes:\n${describe(await readRule(database, workspace, id))}`, yes);
        await inWorkspace(database, workspace, (tx) => deleteRule(tx, atTheCommandLine, workspace, id));
      });
      print(json, { id, deleted: true }, () => `Rule ${id} is deleted.`);
    });
}

function one(command: Command): Command {
  return forWorkspace(command).argument('<id>', 'its id', positiveInteger);
}

/** A rule either asks or rejects: the API says so too, with the names of its fields. */
function terms(command: Command, isNew: boolean): Command {
  const needed = (flags: string, text: string, parse: (text: string) => unknown) =>
    isNew ? command.requiredOption(flags, text, parse) : command.option(flags, text, parse);
  needed('--measure <measure>', `what is compared: ${ruleMeasures.join(', ')}`, oneOfWords(ruleMeasures));
  needed('--currency <code>', 'the currency of the orders, for example CAD', currencyCode);
  needed('--above <amount>', 'the rule fits orders above this amount; 0: all of them', amountFromZero);
  return command
    .option('--from <source>', 'whose orders, for example role:MANAGER, department:Sales or all', ruleSource)
    .addOption(
      new Option('--ask <approvers>', 'who approves, for example manager or role:APPROVER,id:5')
        .argParser(approverList)
        .conflicts('reject'),
    )
    .addOption(
      new Option('--then-ask <approvers>', 'who approves at the second level')
        .argParser(approverList)
        .conflicts('reject'),
    )
    .addOption(
      new Option('--days <n>', 'how many days each level has, 90 at most; required with --ask')
        .argParser(limitOf(90))
        .conflicts('reject'),
    )
    .option('--reject <message>', 'reject the orders, with this message for the sender', messageText)
    .option('--position <n>', 'when it is tried, from 1 on (default: last)', limitOf(100));
}

function amountFromZero(text: string): number {
  return /^0(\.0{1,4})?$/.test(text) ? 0 : moneyAmount(text);
}

function termsOf({ on, off, ask, thenAsk, reject, ...given }: Omit<TermOptions, keyof Options>): RuleChange {
  if (thenAsk && !ask) throw new Failure('invalid', 'Say who approves first: --ask.');
  return {
    ...given,
    ...((on || off) && { isOn: !off }),
    ...(reject !== undefined && { outcome: 'REJECT', message: reject }),
    ...(ask && { outcome: 'ASK', levels: [ask, ...(thenAsk ? [thenAsk] : [])].map((approvers) => ({ approvers })) }),
  };
}

/** A rule that asks instead of rejecting, or the other way round, loses what belonged to the other outcome. */
function changeOf(given: Omit<TermOptions, keyof Options>): RuleChange {
  const wanted = termsOf(given);
  const { outcome } = wanted;
  return {
    ...wanted,
    ...(outcome === 'REJECT' && { levels: [], days: null }),
    ...(outcome === 'ASK' && { message: null }),
  };
}

function change<T>(workspaceId: number, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return withDatabaseOf(workspaceId, (database) => inWorkspace(database, workspaceId, work));
}

function listed(rules: readonly Rule[]): string {
  if (rules.length === 0) return 'There are no rules: orders are fulfilled without approval.';
  return table(
    ['Position', 'Id', 'Name', 'On', 'Orders', 'Outcome'],
    rules.map((rule) => [
      rule.position,
      rule.id,
      rule.name,
      rule.isOn ? 'yes' : 'no',
      `${rule.measure} above ${amountText(rule.above, rule.currency)}`,
      rule.outcome,
    ]),
  );
}

function describe(rule: Rule): string {
  const { id, position, name, isOn, from, measure, currency, above, outcome, levels, days, message } = rule;
  const [first = [], second] = levels.map(({ approvers }) => approvers.map(approverText));
  return fields({
    id,
    position,
    name,
    on: isOn ? 'yes' : 'no',
    orders: `${measure} above ${amountText(above, currency)}`,
    from: sourceText(from),
    ...(outcome === 'REJECT'
      ? { rejects: message }
      : { asks: first.join(', '), ...(second && { 'then asks': second.join(', ') }), days }),
  });
}
