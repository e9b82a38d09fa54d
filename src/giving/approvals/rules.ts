import { survivorOf } from '../../company/directory/who.ts';
import { audit } from '../../company/workspaces/audit.ts';
import { keepRuleConditions } from '../../company/workspaces/rule-conditions.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { NewRule, Rule, RuleChange } from '../../ground/contract/rule.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { takeIds } from '../../ground/database/ids.ts';
import { Failure, type Fault, invalid } from '../../ground/errors.ts';
import { changesAnything } from '../../ground/values/differences.ts';
import { unitFields } from '../../ground/values/member.ts';
import { decimalsProblem } from '../../ground/values/money.ts';
import { plainText } from '../../ground/values/text.ts';
import { decidingRoles } from './deciders.ts';
import { setCounting } from './sender-months.ts';

const mostRules = 100;

export const ruleColumns = `
         id, position, name, is_on as "isOn", source as "from", measure, currency, above, outcome, levels, days, message`;

/** The rules of a workspace in the order in which they are tried. */
export function listRules(on: Queryable, workspaceId: number): Promise<Rule[]> {
  return on.query<Rule>(`select ${ruleColumns} from rules where workspace_id = $1 order by position, id`, [
    workspaceId,
  ]);
}

export async function readRule(on: Queryable, workspaceId: number, id: number): Promise<Rule> {
  const [rule] = await on.query<Rule>(`select ${ruleColumns} from rules where workspace_id = $1 and id = $2`, [
    workspaceId,
    id,
  ]);
  if (!rule) throw new Failure('missing', `There is no rule ${id} in this workspace.`);
  return rule;
}

/**
 * Adds a rule. Every node applies it within a second to new orders; orders that were accepted before are not affected. The caller holds
 * the workspace's lock, here and below.
 */
export async function addRule(tx: Queryable, actor: Actor, workspaceId: number, added: NewRule): Promise<Rule> {
  const rules = await listRules(tx, workspaceId);
  if (rules.length >= mostRules)
    throw new Failure('conflict', `A workspace can have ${mostRules} rules: delete one that you do not need.`);
  const [id] = (await takeIds(tx, 'rules', 1)) as [number];
  const { position = rules.length + 1, isOn = true, from = {}, levels = [], days, message, ...rest } = added;
  const rule = { ...rest, id, isOn, from, levels, days: days ?? null, message: message ?? null };
  await saveRule(tx, workspaceId, { ...rule, position });
  await place(tx, workspaceId, rules, id, position);
  const saved = await readRule(tx, workspaceId, id);
  await audit(tx, { workspaceId, actor, action: 'rule.added', subject: subjectOf(saved), detail: added });
  return saved;
}

export async function changeRule(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: number,
  change: RuleChange,
): Promise<Rule> {
  const before = await readRule(tx, workspaceId, id);
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  await saveRule(tx, workspaceId, { ...before, ...Object.fromEntries(given) });
  await place(tx, workspaceId, await listRules(tx, workspaceId), id, change.position ?? before.position);
  const saved = await readRule(tx, workspaceId, id);
  if (changesAnything(before, saved))
    await audit(tx, { workspaceId, actor, action: 'rule.changed', subject: subjectOf(saved), detail: change });
  return saved;
}

/** Orders that wait because of the rule keep waiting for their approvers. */
export async function deleteRule(tx: Queryable, actor: Actor, workspaceId: number, id: number): Promise<void> {
  const rule = await readRule(tx, workspaceId, id);
  await tx.query('delete from rules where workspace_id = $1 and id = $2', [workspaceId, id]);
  const others = await listRules(tx, workspaceId);
  await number(
    tx,
    workspaceId,
    others.map((one) => one.id),
  );
  await audit(tx, { workspaceId, actor, action: 'rule.deleted', subject: subjectOf(rule) });
}

async function saveRule(tx: Queryable, workspaceId: number, rule: Rule): Promise<void> {
  const from = plainSource(rule.from);
  const faults = [...faultsOf({ ...rule, from }), ...(await unknownApprovers(tx, workspaceId, rule))];
  if (faults.length > 0) throw invalid(faults);
  await tx.query(saveSql, [
    workspaceId,
    rule.id,
    rule.position,
    rule.name,
    rule.isOn,
    JSON.stringify(from),
    rule.measure,
    rule.currency,
    rule.above,
    rule.outcome,
    JSON.stringify(rule.levels),
    rule.days,
    rule.message,
  ]);
}

/** Groups of people in the form in which members have them. */
function plainSource(from: Rule['from']): Rule['from'] {
  const units = unitFields.flatMap((name) => (from[name] === undefined ? [] : [[name, plainText(from[name]).trim()]]));
  return { ...from, ...Object.fromEntries(units) };
}

const saveSql = `
  insert into rules (workspace_id, id, position, name, is_on, source, measure, currency, above, outcome, levels, days, message)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  on conflict (workspace_id, id) do update
     set name = excluded.name, is_on = excluded.is_on, source = excluded.source, measure = excluded.measure,
         currency = excluded.currency, above = excluded.above, outcome = excluded.outcome, levels = excluded.levels,
         days = excluded.days, message = excluded.message`;

/** Puts a rule at a position, or at the end if there are fewer rules, and numbers all of them. */
async function place(
  tx: Queryable,
  workspaceId: number,
  rules: readonly { id: number }[],
  id: number,
  position: number,
): Promise<void> {
  const others = rules.map((one) => one.id).filter((one) => one !== id);
  await number(tx, workspaceId, others.toSpliced(position - 1, 0, id));
}

/** Every change of the rules ends here, so that grants have their conditions. */
async function number(tx: Queryable, workspaceId: number, ids: readonly number[]): Promise<void> {
  await tx.query(
    `update rules
        set position = placed.position
       from unnest($2::bigint[]) with ordinality as placed (id, position)
      where rules.workspace_id = $1
        and rules.id = placed.id`,
    [workspaceId, ids],
  );
  const on = (await listRules(tx, workspaceId)).filter(({ isOn }) => isOn);
  const conditions = (await withFirstTokens(tx, on)).map(({ from, measure, currency, above }) => ({
    from,
    measure,
    currency,
    above,
  }));
  await keepRuleConditions(tx, workspaceId, conditions);
  await setCounting(tx, workspaceId, conditions);
}

/**
 * The rules by token name the first of the tokens that replaced each other, because a rule holds for all of them. What grants and
 * the judge know of a token is its first one too.
 */
export async function withFirstTokens<Named extends Pick<Rule, 'from'>>(
  on: Queryable,
  rules: readonly Named[],
): Promise<Named[]> {
  const named = rules.flatMap(({ from }) => from.tokenId ?? []);
  if (named.length === 0) return [...rules];
  const found = await on.query<{ id: number; first: number }>(
    'select id, coalesce(first_id, id) as first from api_tokens where id = any($1::bigint[])',
    [named],
  );
  const first = new Map(found.map((one) => [one.id, one.first]));
  return rules.map((rule) => {
    const { tokenId } = rule.from;
    return tokenId === undefined ? rule : { ...rule, from: { tokenId: first.get(tokenId) ?? tokenId } };
  });
}

function faultsOf({ from, outcome, levels, days, message, above, currency }: Rule): Fault[] {
  const faults: Fault[] = [];
  const add = (path: string, problem: string | null) => problem !== null && faults.push({ path, problem });
  const sources = Object.values(from).filter((value) => value !== undefined);
  add('from', sources.length > 1 ? 'must have one field at most: add a second rule for another source' : null);
  for (const name of unitFields) add(`from.${name}`, from[name] === '' ? 'must not be blank' : null);
  add('above', decimalsProblem(above, currency));
  if (outcome === 'REJECT') {
    add('message', message === null ? 'is required: it tells the sender what to do' : null);
    add('levels', levels.length > 0 ? 'must be empty, because the rule rejects' : null);
    add('days', days === null ? null : 'must be left out, because the rule rejects');
    return faults;
  }
  add('message', message === null ? null : 'must be left out, because the rule asks for approval');
  add('levels', levels.length === 0 ? 'must have one or two levels' : null);
  add('days', days === null ? 'is required: it says when an order is declined without a decision' : null);
  for (const [level, { approvers }] of levels.entries())
    for (const [nth, { is, memberId, role }] of approvers.entries()) {
      const path = `levels[${level}].approvers[${nth}]`;
      add(`${path}.memberId`, (is === 'MEMBER') === (memberId !== undefined) ? null : belongsTo('MEMBER'));
      add(`${path}.role`, (is === 'ROLE') === (role !== undefined) ? null : belongsTo('ROLE'));
      if (role !== undefined && !decidingRoles.includes(role))
        add(`${path}.role`, `must be a role that may decide: ${decidingRoles.join(', ')}`);
    }
  return faults;
}

function belongsTo(is: string): string {
  return `must be given if \`is\` is ${is}, and only then`;
}

/** A merged record counts as its survivor, so that a rule that names it can still be changed. */
async function unknownApprovers(tx: Queryable, workspaceId: number, { levels }: Rule): Promise<Fault[]> {
  const named = levels.flatMap(({ approvers }, level) =>
    approvers.flatMap(({ memberId }, nth) =>
      memberId === undefined ? [] : [{ memberId, path: `levels[${level}].approvers[${nth}].memberId` }],
    ),
  );
  const known = await tx.query<{ id: number }>(
    `select m.id
       from members m
       join members person on person.workspace_id = m.workspace_id and person.id = ${survivorOf('m')}
      where m.workspace_id = $1 and m.id = any($2::bigint[]) and not person.is_integration`,
    [workspaceId, named.map(({ memberId }) => memberId)],
  );
  const ids = new Set(known.map(({ id }) => id));
  return named.flatMap(({ memberId, path }) =>
    ids.has(memberId) ? [] : [{ path, problem: 'must be the id of a person of this workspace' }],
  );
}

function subjectOf({ id, name }: Rule) {
  return { id, name };
}
