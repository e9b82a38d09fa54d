import type { WorkspaceGrant } from '../../company/access/grants.ts';
import { readNames } from '../../company/directory/members.ts';
import type { RecipientPerson } from '../../company/directory/recipient-rules.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { amountText, sumOf } from '../../ground/values/money.ts';
import type { AcceptedOrder, ConcernedOrder } from './order-steps.ts';
import { lockRecipientYear, readRecipientYear } from './recipient-year.ts';

type Caps = WorkspaceGrant['recipientCaps'];

/** An order as it is asked about. A retry has no caller, so what it may know is not known. */
type Asked = AcceptedOrder & { workspace?: WorkspaceGrant };

/** Whether the workspace limits what a person receives in a year in the order's currency. */
export function isCapped({ workspace: { recipientCaps }, order: { currency } }: ConcernedOrder): boolean {
  return recipientCaps.some((cap) => cap.currency === currency);
}

/**
 * Says which orders would give a person more than the workspace allows in a calendar year, by requestId. Orders are taken in their sequence. Other nodes
 * wait until these orders are stored, so that no two of them are accepted that exceed the limit together.
 */
export function refuseOverCap(tx: Queryable, orders: readonly Asked[]): Promise<ReadonlyMap<string, Failure>> {
  return refuse(tx, orders, true);
}

/** The same of orders that are approved. Others that wait for approval do not count: they could prevent each other. */
export function refuseReleasedOverCap(
  tx: Queryable,
  orders: readonly AcceptedOrder[],
): Promise<ReadonlyMap<string, Failure>> {
  return refuse(tx, orders, false);
}

async function refuse(
  tx: Queryable,
  orders: readonly Asked[],
  alsoHeld: boolean,
): Promise<ReadonlyMap<string, Failure>> {
  const refused = new Map<string, Failure>();
  const workspaces = [...Map.groupBy(orders, ({ workspaceId }) => workspaceId)].sort(([a], [b]) => a - b);
  for (const [workspaceId, some] of workspaces)
    for (const [requestId, failure] of await refuseIn(tx, workspaceId, some, alsoHeld)) refused.set(requestId, failure);
  return refused;
}

async function refuseIn(
  tx: Queryable,
  workspaceId: number,
  orders: readonly Asked[],
  alsoHeld: boolean,
): Promise<Map<string, Failure>> {
  const { caps } = await queryOne<{ caps: Caps }>(tx, 'select recipient_caps as caps from workspaces where id = $1', [
    workspaceId,
  ]);
  const capOf = new Map(caps.map(({ currency, amount }) => [currency, amount]));
  const capped = orders.filter(({ order }) => capOf.has(order.currency));
  const refused = new Map<string, Failure>();
  if (capped.length === 0) return refused;
  await lockRecipientYear(tx, workspaceId);
  const { year, recipients, totalOf } = await readRecipientYear(tx, workspaceId, capped, alsoHeld);
  const accepted = new Map<string, Map<RecipientPerson, number>>();
  for (const asked of capped) {
    const { currency, orderItems } = asked.order;
    const people = recipients.get(asked.requestId) as readonly RecipientPerson[];
    const before = accepted.get(currency) ?? new Map<RecipientPerson, number>();
    const after = new Map(before);
    for (const [at, person] of people.entries())
      after.set(person, sumOf([after.get(person) ?? 0, orderItems[at]?.amount ?? 0]));
    const cap = capOf.get(currency) as number;
    const leftBefore = (person: RecipientPerson) =>
      Math.max(0, sumOf([cap, -totalOf(person, currency), -(before.get(person) ?? 0)]));
    const isOver = (person: RecipientPerson) => sumOf([totalOf(person, currency), after.get(person) ?? 0]) > cap;
    const over = people.filter(isOver);
    if (over.length === 0) accepted.set(currency, after);
    else
      refused.set(
        asked.requestId,
        await failureOf(tx, asked, { year, cap, people, over: new Map(over.map((one) => [one, leftBefore(one)])) }),
      );
  }
  return refused;
}

interface Excess {
  year: number;
  cap: number;
  people: readonly RecipientPerson[];
  /** What is left for each person who would get too much. */
  over: ReadonlyMap<RecipientPerson, number>;
}

/**
 * Names what is left for a person to callers who may read the gifts of that person: it says what they got from others. A manager reads those of their reports
 * alone.
 */
async function failureOf(
  tx: Queryable,
  { workspaceId, workspace, order: { currency } }: Asked,
  { year, cap, people, over }: Excess,
): Promise<Failure> {
  const ids = [...over.keys()].flatMap(({ id }) => id ?? []);
  const onlyReportsOf = workspace?.onlyReportsOf ?? null;
  const seen = new Map((await readNames(tx, workspaceId, ids, onlyReportsOf)).map((one) => [one.id, one]));
  const mayKnow = (person: RecipientPerson) =>
    workspace?.scopes.includes('gifts:read') === true && (onlyReportsOf === null || seen.has(person.id ?? 0));
  const limit = `${amountText(cap, currency)} for one person in ${year}`;
  const leftText = (person: RecipientPerson) => amountText(over.get(person) ?? 0, currency);
  const problemOf = (person: RecipientPerson) =>
    mayKnow(person)
      ? `exceeds the workspace's limit of ${limit}: ${leftText(person)} is left for this person`
      : "exceeds the workspace's limit for one person in a year";
  const faults = people.flatMap((person, at) =>
    over.has(person) ? [{ path: `orderItems[${at}].amount`, problem: problemOf(person) }] : [],
  );
  const [first] = over.keys();
  const [problem, whatToDo] =
    first && mayKnow(first)
      ? [
          `The workspace's limit is ${limit}, and ${leftText(first)} is left for ${nameOf(first, seen.get(first.id ?? 0))}`,
          'have the limit raised',
        ]
      : ["A recipient would get more than the workspace's limit for one person in a year", 'ask the people team'];
  const message = `${problem}: send gifts for less, or ${whatToDo}.`;
  return new Failure('overBudget', message, { faults, problem });
}

function nameOf(person: RecipientPerson, seen?: { firstName: string; lastName: string }): string {
  const { firstName, lastName } = seen ?? person;
  return `${firstName} ${lastName}`.trim() || person.email || person.employeeNumber || 'this person';
}
