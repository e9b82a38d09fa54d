import type { WorkspaceGrant } from '../../company/access/grants.ts';
import {
  findPerson,
  type KnownPeople,
  type NamedPerson,
  type RecipientPerson,
  takeIn,
} from '../../company/directory/recipient-rules.ts';
import { type ReadAhead, savePeople } from '../../company/directory/recipients.ts';
import { isBelow } from '../../company/directory/reporting-line.ts';
import { mismatchWith } from '../../company/workspaces/erased-bodies.ts';
import { inWorkspace } from '../../company/workspaces/lock.ts';
import type { Shoutout, ShoutoutRequest } from '../../ground/contract/shoutout.ts';
import { Batcher } from '../../ground/database/batcher.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import { runSteps, tellSteps } from '../../ground/database/run-steps.ts';
import { Failure, invalid, unavailable } from '../../ground/errors.ts';
import { type Checked, shoutoutFaults } from './check.ts';
import { decideShoutout, type NewDecision } from './decide.ts';
import { readSurroundings } from './people.ts';
import { readShoutouts } from './read.ts';
import type { ChangedShoutouts, GivenShoutout, ShoutoutStep } from './shoutout-steps.ts';
import { recordShoutouts } from './shoutouts.ts';

export interface Giving {
  tokenId: number;
  workspace: WorkspaceGrant;
  idempotencyKey: string | null;
  shoutout: ShoutoutRequest;
}

export interface Given {
  record: Shoutout;
  replayed: boolean;
}

/** Gives and decides shoutouts. Those of a workspace that are given at the same time are recorded in one transaction. */
export class Shoutouts {
  readonly #database: Database;
  readonly #readAhead: ReadAhead;
  readonly #steps: readonly ShoutoutStep[];
  readonly #batchers = new Map<number, Batcher<Giving, Given | Failure>>();

  constructor(database: Database, readAhead: ReadAhead, steps: readonly ShoutoutStep[] = []) {
    this.#database = database;
    this.#readAhead = readAhead;
    this.#steps = steps;
  }

  async give(giving: Giving): Promise<Given> {
    const outcome = await this.#batcherOf(giving.workspace.workspaceId).add(giving);
    if (outcome instanceof Failure) throw outcome;
    return { ...outcome, record: await this.#asSeen(giving, outcome.record) };
  }

  /** Of a recipient who is not one of their reports, a manager learns what their shoutout says. */
  async #asSeen({ workspace, shoutout: { recipient } }: Giving, record: Shoutout): Promise<Shoutout> {
    const { workspaceId, onlyReportsOf } = workspace;
    if (await isBelow(this.#database, workspaceId, onlyReportsOf, record.receiver.id)) return record;
    const { email, firstName, lastName } = recipient;
    const said = { email: email ?? '', firstName: firstName ?? '', lastName: lastName ?? '' };
    return { ...record, receiver: { ...record.receiver, ...said, avatar: '', 'the service': '' } };
  }

  decide(workspace: WorkspaceGrant, decision: NewDecision): Promise<Shoutout> {
    return decideShoutout(this.#database, this.#steps, workspace, decision);
  }

  #batcherOf(workspaceId: number): Batcher<Giving, Given | Failure> {
    const known = this.#batchers.get(workspaceId);
    if (known) return known;
    const batcher = new Batcher<Giving, Given | Failure>({
      run: (batch) => this.#giveAll(workspaceId, batch),
      maxItems: 200,
      concurrency: 1,
      maxWaiting: 5_000,
      maxWaitMs: 1_500,
    });
    this.#batchers.set(workspaceId, batcher);
    return batcher;
  }

  async #giveAll(workspaceId: number, batch: Giving[]): Promise<(Given | Failure)[]> {
    const { answers, changed } = await inWorkspace(this.#database, workspaceId, async (tx, moment) => {
      const { answers, given } = await giveAll(tx, workspaceId, moment, batch, this.#readAhead);
      const changed: ChangedShoutouts = { workspaceId, moment, given, decided: [] };
      if (given.length > 0) await runSteps(this.#steps, tx, changed);
      return { answers, changed };
    });
    if (changed.given.length > 0) tellSteps(this.#steps, changed);
    return answers;
  }
}

/** A shoutout that was recorded, to compare others of the same key with. */
interface Original {
  number: number;
  body: unknown;
}

/** A shoutout that can be recorded. Its people may be new, and have no id before they are saved. */
interface Fresh {
  giving: Giving;
  /** The sender that was named; null if it is the member behind the token, `self`. */
  sender: RecipientPerson | null;
  self: number;
  receiver: RecipientPerson;
}

async function giveAll(
  tx: Queryable,
  workspaceId: number,
  moment: string,
  batch: Giving[],
  readAhead: ReadAhead,
): Promise<{ answers: (Given | Failure)[]; given: GivenShoutout[] }> {
  const originals = await readOriginals(tx, workspaceId, batch);
  const unseen = batch.filter((giving) => !originals.has(keyOf(giving)));
  const { fresh, refused } = await sort(tx, workspaceId, unseen, readAhead);
  const given = await record(tx, workspaceId, moment, fresh);
  for (const [nth, { giving }] of fresh.entries())
    originals.set(keyOf(giving), { number: given[nth]?.number as number, body: giving.shoutout });

  const outcomes: (number | Failure)[] = [];
  for (const giving of batch) outcomes.push(refused.get(giving) ?? (await numberOf(tx, originals, giving)));
  const records = await readShoutouts(
    tx,
    workspaceId,
    batch.flatMap(({ workspace }, nth) => {
      const number = outcomes[nth];
      return typeof number === 'number' ? [{ number, self: workspace.memberId }] : [];
    }),
  );
  const recorded = new Set(fresh.map(({ giving }) => giving));
  const answers = outcomes.map((outcome, nth) =>
    typeof outcome === 'number'
      ? { record: records.shift() as Shoutout, replayed: !recorded.has(batch[nth] as Giving) }
      : outcome,
  );
  return { answers, given };
}

/**
 * Sorts shoutouts into those that can be recorded and those that are refused. Each is checked in its turn, with what the ones
 * before it have made known, so that the outcome is that of the same shoutouts given one by one. A shoutout whose key came
 * before in the batch is in neither group.
 */
async function sort(tx: Queryable, workspaceId: number, unseen: readonly Giving[], readAhead: ReadAhead) {
  const fresh: Fresh[] = [];
  const refused = new Map<Giving, Failure>();
  if (unseen.length === 0) return { fresh, refused };
  const { known, checked } = await readSurroundings(tx, workspaceId, unseen, readAhead);
  const taken = new Set<string | Giving>();
  for (const [nth, giving] of unseen.entries()) {
    if (taken.has(keyOf(giving))) continue;
    const one = checked[nth] as Checked;
    const faults = shoutoutFaults(known, one);
    if (faults.length > 0) {
      refused.set(giving, invalid(faults));
    } else if ([one.recipient, one.sender].some((named) => named && isAwaited(known, named))) {
      for (const late of unseen.slice(nth)) if (!taken.has(keyOf(late))) refused.set(late, unavailable());
      break;
    } else {
      taken.add(keyOf(giving));
      const sender = one.sender ? (findPerson(known, one.sender) ?? null) : null;
      const [receiver] = takeIn(known, [one.recipient]) as [RecipientPerson];
      fresh.push({ giving, sender, self: one.self, receiver });
    }
  }
  return { fresh, refused };
}

/**
 * Whether this would save a person with a number by which a waiting order means another person. The order is fulfilled in a
 * moment; until then this shoutout and those after it have to be sent again.
 */
function isAwaited(known: KnownPeople, named: NamedPerson): boolean {
  const number = findPerson(known, named)?.employeeNumber ?? named.employeeNumber;
  return number !== null && known.awaitedNumbers.has(number);
}

/** A shoutout without a key is its own key. */
function keyOf(giving: Giving): string | Giving {
  return giving.idempotencyKey ?? giving;
}

async function numberOf(
  tx: Queryable,
  originals: ReadonlyMap<string | Giving, Original>,
  giving: Giving,
): Promise<number | Failure> {
  const original = originals.get(keyOf(giving)) as Original;
  const difference = await mismatchWith(tx, original.body, giving.shoutout);
  return difference === null ? original.number : new Failure('mismatch', ...difference);
}

async function readOriginals(
  tx: Queryable,
  workspaceId: number,
  batch: readonly Giving[],
): Promise<Map<string | Giving, Original>> {
  const keys = batch.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  if (keys.length === 0) return new Map();
  const rows = await tx.query<Original & { key: string }>(
    `select idempotency_key as key, number, body
       from shoutouts
      where workspace_id = $1
        and idempotency_key = any($2::text[])`,
    [workspaceId, keys],
  );
  return new Map(rows.map(({ key, number, body }) => [key, { number, body }]));
}

async function record(
  tx: Queryable,
  workspaceId: number,
  moment: string,
  fresh: readonly Fresh[],
): Promise<GivenShoutout[]> {
  if (fresh.length === 0) return [];
  await savePeople(
    tx,
    workspaceId,
    fresh.flatMap(({ sender, receiver }) => (sender ? [sender, receiver] : [receiver])),
  );
  const given = fresh.map(({ giving: { tokenId, workspace, idempotencyKey, shoutout }, sender, self, receiver }) => ({
    tokenId,
    idempotencyKey,
    senderId: sender ? (sender.id as number) : self,
    receiverId: receiver.id as number,
    status: workspace.asksForApproval ? ('PENDING' as const) : ('APPROVED' as const),
    moment,
    shoutout,
  }));
  return recordShoutouts(tx, workspaceId, given);
}
