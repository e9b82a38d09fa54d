import type { WorkspaceGrant } from '../../company/access/grants.ts';
import { readNames } from '../../company/directory/members.ts';
import { probableOwners } from '../../company/directory/probable-owners.ts';
import { type RecipientPerson, refusals } from '../../company/directory/recipient-rules.ts';
import type { OrderRequest } from '../../ground/contract/order.ts';
import type { OrderValidation } from '../../ground/contract/order-validation.ts';
import type { Database } from '../../ground/database/database.ts';
import type { Fault } from '../../ground/errors.ts';
import { addressKey } from '../../ground/values/email.ts';
import { sumOf } from '../../ground/values/money.ts';
import { overGiftLimit } from '../budgets/reserve.ts';
import { budgetOfSender } from '../budgets/senders.ts';
import { checkOrder } from './checks.ts';
import { findRecipients } from './expected-recipients.ts';
import type { AcceptedOrder, AcceptStep, ConcernedOrder } from './order-steps.ts';
import { repeatAfterSteps } from './repeat.ts';
import { makeRequestId } from './request-id.ts';
import { checkDelegation, type OrderSender, ownSender } from './sender.ts';
import { refuseOrders } from './sift.ts';
import { readSoundParts, type SoundOrder } from './sound-parts.ts';

import { findTwins, type Twin } from './twins.ts';

/** An order to try: its fields as they are stored, and what the check of its form has found. */
export interface Draft {
  workspace: WorkspaceGrant;
  /** The token or the user that would send it. */
  tokenId: number;
  order: Record<string, unknown>;
  faults: readonly Fault[];
}

type ItemValidation = OrderValidation['items'][number];

/**
 * Says what would become of an order, without accepting it. It asks the same functions as acceptance and fulfilment do. Parts at
 * fault are left out, so that everything else can be said about the order at the same time.
 */
export class OrderTrial {
  readonly #database: Database;
  readonly #steps: readonly AcceptStep[];

  constructor(database: Database, steps: readonly AcceptStep[]) {
    this.#database = database;
    this.#steps = steps;
  }

  async validate({ workspace, tokenId, order, faults: formFaults }: Draft): Promise<Omit<OrderValidation, 'ignored'>> {
    checkDelegation(workspace, order);
    const sound = readSoundParts(order, formFaults);
    const { sender, faults: refused } = await checkOrder(this.#database, workspace, sound);
    const people = await findRecipients(this.#database, workspace.workspaceId, sound);
    const total = sumOf(sound.orderItems.flatMap(({ amount }) => amount ?? []));
    const budget = await this.#budgetOf(workspace, sender, sound, total);
    const faults = [...formFaults, ...refused, ...leaverFaults(workspace, people), ...limitFaults(sound, budget)];
    const items = await this.#describe(workspace, sound, people, new Set(faults.map(({ path }) => path)));
    const { rule, refusal } = faults.length === 0 ? await this.#askSteps(workspace, tokenId, sender, sound) : silent;
    const all = [...faults.map(faultOf), ...refusal];
    return {
      valid: all.length === 0,
      gifts: sound.orderItems.length,
      currency: sound.currency,
      total,
      budget,
      rule,
      faults: all,
      counts: countsOf(items, all, people),
      items,
    };
  }

  async #budgetOf(
    { workspaceId, hasBudgets }: WorkspaceGrant,
    sender: OrderSender | null,
    { currency }: SoundOrder,
    total: number,
  ): Promise<OrderValidation['budget']> {
    if (!hasBudgets || sender === null || currency === null) return null;
    const budget = await budgetOfSender(this.#database, workspaceId, sender.memberId, currency);
    return budget && { ...budget, left: sumOf([budget.available, -total]) };
  }

  /**
   * Of people who are not their reports, a manager learns what the order says, and not whether the directory has them: neither by an
   * outcome nor by two addresses that are the same person.
   */
  async #describe(
    { workspaceId, onlyReportsOf }: WorkspaceGrant,
    { currency, orderItems }: SoundOrder,
    people: readonly (RecipientPerson | null)[],
    pathsAtFault: ReadonlySet<string>,
  ): Promise<ItemValidation[]> {
    const owners = await probableOwners(this.#database, workspaceId, numbersAlone(orderItems));
    const ids = [...people.flatMap((person) => person?.id ?? []), ...owners.values()];
    const seen = await readNames(this.#database, workspaceId, ids, onlyReportsOf);
    const members = new Map(seen.map((one) => [one.id, one]));
    const twins = currency === null ? [] : await this.#twins(workspaceId, currency, orderItems, people);
    const firsts = new Map<RecipientPerson | string, number>();
    return people.map((person, at) => {
      if (person === null) return { outcome: 'INVALID', ...unsaid };
      const isUnknown = pathsAtFault.has(`orderItems[${at}].recipient.employeeNumber`);
      const member = members.get(person.id ?? 0) ?? null;
      const isUnseen = onlyReportsOf !== null && member === null;
      const { email = null, employeeNumber = null } = orderItems[at]?.recipient ?? {};
      const identity = isUnseen ? (email ? addressKey(email) : `number ${employeeNumber}`) : person;
      const sameAs = firsts.get(identity) ?? null;
      if (sameAs === null) firsts.set(identity, at);
      const outcome = isUnseen && !isUnknown ? 'UNSEEN' : outcomeOf(person, isUnknown);
      const address = member ? member.email : isUnseen ? email : (person.email ?? email);
      const owner = email ? undefined : members.get(owners.get(employeeNumber ?? '') ?? 0);
      const probably = owner && owner.id !== member?.id ? owner : null;
      return { outcome, member, address, sameAs, twin: member && twinOf(twins[at]), probably };
    });
  }

  /** In the order of the gifts. Gifts to people who are not known yet have none. */
  async #twins(
    workspaceId: number,
    currency: string,
    orderItems: SoundOrder['orderItems'],
    people: readonly (RecipientPerson | null)[],
  ): Promise<(Twin | null)[]> {
    const asked = orderItems.flatMap(({ amount }, at) => {
      const memberId = people[at]?.id ?? null;
      return amount === null || memberId === null ? [] : [{ at, memberId, amount }];
    });
    const twins: (Twin | null)[] = [];
    const found = await findTwins(this.#database, workspaceId, currency, asked);
    for (const [nth, { at }] of asked.entries()) twins[at] = found[nth] ?? null;
    return twins;
  }

  async #askSteps(
    workspace: WorkspaceGrant,
    tokenId: number,
    sender: OrderSender | null,
    order: SoundOrder,
  ): Promise<Said> {
    const { workspaceId } = workspace;
    const entry = {
      workspace,
      workspaceId,
      requestId: makeRequestId(),
      tokenId,
      senderId: (sender ?? ownSender(workspace)).memberId,
      customerRequestId: null,
      // Everything is valid, so no part was left out.
      order: order as OrderRequest,
    };
    const asked = this.#steps.filter(
      ({ refuse, preview, concerns }) => (refuse ?? preview) && (concerns?.(entry) ?? true),
    );
    if (asked.length === 0) return silent;
    return repeatAfterSteps(this.#database, asked, [entry], () => this.#ask(asked, entry));
  }

  #ask(asked: readonly AcceptStep[], entry: AcceptedOrder & ConcernedOrder): Promise<Said> {
    return this.#database.transaction(async (tx) => {
      const previews = await Promise.all(asked.map((step) => step.preview?.(tx, entry) ?? null));
      const { rule = null, rejection = null } = previews.find((one) => one !== null) ?? {};
      if (rejection !== null) return { rule, refusal: [wholeFault(rejection)] };
      const failure = (await refuseOrders(tx, asked, [entry])).get(entry.requestId);
      if (!failure) return { rule, refusal: [] };
      return {
        rule,
        refusal: failure.faults.length > 0 ? failure.faults.map(faultOf) : [wholeFault(failure.message)],
      };
    });
  }
}

/** What the steps of acceptance say about an order: the rule that would apply, and why it would be rejected. */
interface Said {
  rule: OrderValidation['rule'];
  refusal: OrderValidation['faults'];
}

const silent: Said = { rule: null, refusal: [] };

/** A fault of the order as a whole. */
function wholeFault(problem: string): OrderValidation['faults'][number] {
  return { path: null, item: null, problem };
}

/** What is said of a gift with an invalid recipient. */
const unsaid = { member: null, address: null, sameAs: null, twin: null, probably: null } as const;

/** The employee numbers that identify a recipient. */
function numbersAlone(orderItems: SoundOrder['orderItems']): string[] {
  const numbers = orderItems.flatMap(({ recipient }) => (recipient?.email ? [] : (recipient?.employeeNumber ?? [])));
  return [...new Set(numbers)];
}

function leaverFaults(
  { acceptsLeavers, onlyReportsOf }: WorkspaceGrant,
  people: readonly (RecipientPerson | null)[],
): Fault[] {
  if (acceptsLeavers) return [];
  const problem = refusals.hasLeft('gifts', onlyReportsOf);
  return people.flatMap((person, at) => (person?.hasLeft ? [{ path: `orderItems[${at}].recipient`, problem }] : []));
}

/** Acceptance says this of an order as a whole. Here it is said of each gift. */
function limitFaults({ currency, orderItems }: SoundOrder, budget: OrderValidation['budget']): Fault[] {
  const { giftLimit = null } = budget ?? {};
  if (giftLimit === null || currency === null) return [];
  const problem = overGiftLimit(giftLimit, currency);
  return orderItems.flatMap(({ amount }, at) =>
    (amount ?? 0) > giftLimit ? [{ path: `orderItems[${at}].amount`, problem }] : [],
  );
}

function outcomeOf({ id, hasLeft }: RecipientPerson, isUnknown: boolean): ItemValidation['outcome'] {
  if (isUnknown) return 'UNKNOWN';
  if (id === null) return 'NEW';
  return hasLeft ? 'LEFT' : 'FOUND';
}

function twinOf(twin: Twin | null | undefined) {
  return twin ? { id: twin.id, issuedAt: twin.issuedAt.toISOString() } : null;
}

function faultOf({ path, problem }: Fault): OrderValidation['faults'][number] {
  const [, item] = /^orderItems\[(\d+)\]/.exec(path) ?? [];
  return { path, item: item === undefined ? null : Number(item), problem };
}

function countsOf(
  items: readonly ItemValidation[],
  faults: OrderValidation['faults'],
  people: readonly (RecipientPerson | null)[],
): OrderValidation['counts'] {
  const count = (is: (item: ItemValidation) => boolean) => items.filter(is).length;
  return {
    atFault: new Set(faults.flatMap(({ item }) => item ?? [])).size,
    found: count(({ outcome }) => outcome === 'FOUND'),
    added: new Set(people.filter((_, at) => items[at]?.outcome === 'NEW')).size,
    left: count(({ outcome }) => outcome === 'LEFT'),
    repeated: count(({ sameAs }) => sameAs !== null),
    twins: count(({ twin }) => twin !== null),
    withoutAddress: count(({ outcome, address }) => address === null && ['FOUND', 'NEW', 'LEFT'].includes(outcome)),
  };
}
