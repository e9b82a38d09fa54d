import { appendEvents } from '../../company/events/log.ts';
import { momentOf } from '../../company/workspaces/lock.ts';
import { type Sealing, seal, sealedColumns } from '../../company/workspaces/seals.ts';
import { type Actor, type EventActor, withoutName } from '../../ground/contract/actor.ts';
import type { EventType, NewEvent } from '../../ground/contract/event.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { takeIds } from '../../ground/database/ids.ts';
import { type GiftLine, postRedemptions, returnGifts, reviveGifts } from '../budgets/gift-entries.ts';
import { currencyOf, type Gift, type GiftState } from './gift.ts';
import { giftRecord, giftRecordKey } from './sealed.ts';
import { currentTokenVersion } from './tokens.ts';

interface Rule {
  /** The states in which it may happen; absent: all. */
  from?: readonly GiftState[];
  /** The state after it; absent: the same. */
  to?: GiftState;
  /** A further condition on `certificates c` at the moment $2, as SQL. */
  condition?: string;
  /** Columns of `certificates` that it sets, as SQL. `d` is the move's detail, as jsonb. */
  set?: string;
  event?: EventType;
  /** The entry in the ledger that it makes of the amount and the redemption in the move's detail. */
  entry?: 'REDEEMED' | 'REVERSED';
}

const isInTime = '(c.expires_at is null or c.expires_at > $2::timestamptz)';

/** Sets what is spent of a gift, and the state that follows from it. */
function setRedeemed(redeemed: string): string {
  return `redeemed = ${redeemed},
            state = case when ${redeemed} = c.amount then 'REDEEMED' when ${redeemed} = 0 then 'CLAIMED' else 'PARTLY_REDEEMED' end`;
}

const amountOf = `(d ->> 'amount')::numeric`;

/** Everything that can happen to a gift. A module that lets something else happen adds a line here. */
const rules = {
  SENT: { event: 'gift.sent' },
  RESENT: {},
  DEFERRED: {},
  DELIVERY_FAILED: { event: 'gift.delivery_failed' },
  REMINDED: { event: 'gift.reminded' },
  CODE_SENT: {},
  THANKS_SENT: {},
  THANKS_FAILED: {},
  DECISION_SENT: {},
  VIEWED: { condition: 'c.viewed_at is null', set: 'viewed_at = $2::timestamptz', event: 'gift.viewed' },
  CLAIMED: {
    from: ['ISSUED'],
    to: 'CLAIMED',
    condition: isInTime,
    set: 'claimed_at = $2::timestamptz',
    event: 'gift.claimed',
  },
  THANKED: {
    from: ['CLAIMED', 'PARTLY_REDEEMED', 'REDEEMED'],
    condition: 'c.thanks is null',
    set: `thanks = d ->> 'thanks'`,
    event: 'gift.thanked',
  },
  REISSUED: {
    from: ['ISSUED'],
    condition: isInTime,
    set: `edition = (d ->> 'edition')::int, token_version = ${currentTokenVersion},
          short_token_hash = (d ->> 'shortTokenHash')::bigint, viewed_at = null`,
    event: 'gift.reissued',
  },
  EXTENDED: {
    from: ['ISSUED', 'EXPIRED'],
    to: 'ISSUED',
    set: 'expires_at = move.expires_at',
    event: 'gift.extended',
  },
  EXPIRED: { from: ['ISSUED'], to: 'EXPIRED', condition: 'c.expires_at <= $2::timestamptz', event: 'gift.expired' },
  CANCELLED: { from: ['ISSUED', 'EXPIRED'], to: 'CANCELLED', event: 'gift.cancelled' },
  REDEEMED: {
    from: ['CLAIMED', 'PARTLY_REDEEMED'],
    condition: `c.redeemed + ${amountOf} <= c.amount`,
    set: setRedeemed(`c.redeemed + ${amountOf}`),
    event: 'gift.redeemed',
    entry: 'REDEEMED',
  },
  REVERSED: {
    from: ['PARTLY_REDEEMED', 'REDEEMED'],
    condition: `c.redeemed >= ${amountOf}`,
    set: setRedeemed(`c.redeemed - ${amountOf}`),
    event: 'gift.redemption_reversed',
    entry: 'REVERSED',
  },
} as const satisfies Record<string, Rule>;

export type MoveType = keyof typeof rules;

/** Something that happens to a gift. `detail` is kept in the gift's log; `data` is added to the event. */
export interface Move {
  type: MoveType;
  gift: Pick<Gift, 'requestId' | 'position' | 'id' | 'memberId'>;
  /** The caller who does it, for the log and the event; absent: the recipient or the service does. */
  by?: Actor | undefined;
  detail?: Record<string, unknown>;
  data?: Record<string, unknown>;
  /** What else it changes and has to be sealed, for instance a redemption. */
  seals?: Sealing;
}

/**
 * Lets things happen to gifts of one workspace: sets their states, writes their logs and appends the events. The caller
 * holds the workspace's lock. Returns the moves that took place, without those that the gift's state forbids. They take place in
 * their sequence where their types are the same; one type of move after the other.
 */
export async function moveGifts(tx: Queryable, workspaceId: number, moves: readonly Move[]): Promise<Move[]> {
  const done: Move[] = [];
  for (const [type, some] of Map.groupBy(moves, (move) => move.type)) {
    const changes = await changeGifts(tx, workspaceId, rules[type], some);
    await postChanges(tx, workspaceId, rules[type], changes);
    done.push(...changes.map(({ move }) => move));
  }
  if (done.length === 0) return [];
  await sealMoved(tx, workspaceId, done);
  const moment = momentOf(tx, workspaceId);
  await tx.query(logSql, [
    workspaceId,
    moment,
    await takeIds(tx, 'gift_log', done.length),
    done.map(({ gift }) => gift.requestId),
    done.map(({ gift }) => gift.position),
    done.map(({ type }) => type),
    done.map((move) => JSON.stringify(loggedDetail(move))),
  ]);
  await appendEvents(tx, workspaceId, moment, done.flatMap(eventOf));
  return done;
}

/** Seals the gifts whose decisive columns were changed, with what belongs to their moves. */
function sealMoved(tx: Queryable, workspaceId: number, done: readonly Move[]): Promise<void> {
  const moved = done.filter(({ type }) => changesSealed(rules[type])).map(({ gift }) => giftRecordKey(gift));
  const others = done.flatMap(({ seals }) => (seals ? [seals] : []));
  const byRecord = [...Map.groupBy(others, ({ record }) => record)].map(
    ([record, some]): Sealing => ({ record, keys: some.flatMap(({ keys }) => keys) }),
  );
  return seal(tx, workspaceId, { record: giftRecord, keys: moved }, ...byRecord);
}

const sealed = sealedColumns(giftRecord);

function changesSealed({ to, set = '' }: Rule): boolean {
  return to !== undefined || sealed.some((column) => new RegExp(`\\b${column} =`).test(set));
}

/** A move that took place. `was` is the state before it; absent where the gift itself did not change. */
interface Change {
  move: Move;
  was?: GiftState;
  amount?: number;
  currency?: string;
}

async function changeGifts(
  tx: Queryable,
  workspaceId: number,
  rule: Rule,
  moves: readonly Move[],
): Promise<readonly Change[]> {
  const { from, to, condition, set } = rule;
  if (!to && !set) return moves.map((move) => ({ move }));
  const changes = [to && `state = '${to}'`, set].filter(Boolean).join(', ');
  const changed = await tx.query<{ nth: number; was: GiftState; amount: number; currency: string }>(
    `update certificates c
        set ${changes}
       from (select *, (d ->> 'expiresAt')::timestamptz as expires_at
               from unnest($3::uuid[], $4::int[], $5::jsonb[]) with ordinality as given (request_id, position, d, nth)) move
       join certificates before on before.workspace_id = $1
                               and before.request_id = move.request_id
                               and before.position = move.position
      where c.workspace_id = $1
        and $2::timestamptz is not null
        and c.request_id = move.request_id
        and c.position = move.position
        ${from ? `and c.state in (${from.map((state) => `'${state}'`).join(', ')})` : ''}
        ${condition ? `and ${condition}` : ''}
     returning move.nth, before.state as was, c.amount, ${movesMoney(rule) ? currencyOf('c') : 'null'} as currency`,
    [
      workspaceId,
      momentOf(tx, workspaceId),
      moves.map(({ gift }) => gift.requestId),
      moves.map(({ gift }) => gift.position),
      moves.map(({ detail = {} }) => JSON.stringify(detail)),
    ],
  );
  const taken = new Map(changed.map(({ nth, ...change }) => [nth, change]));
  return moves.flatMap((move, index) => {
    const change = taken.get(index + 1);
    return change ? [{ move, ...change }] : [];
  });
}

const ended: readonly (GiftState | undefined)[] = ['EXPIRED', 'CANCELLED'];

/** Whether a move can spend a gift, end it, or bring it back to life. */
function movesMoney({ from, to, entry }: Rule): boolean {
  return entry !== undefined || ended.includes(to) || (from ?? ended).some((state) => ended.includes(state));
}

/** Moves the money of gifts that end, that come back to life, or that are spent. */
async function postChanges(
  tx: Queryable,
  workspaceId: number,
  { to, entry }: Rule,
  changes: readonly Change[],
): Promise<void> {
  const moment = momentOf(tx, workspaceId);
  if (entry) return postRedemptions(tx, workspaceId, moment, entry, changes.map(spentLine));
  const isEnd = ended.includes(to);
  const moved = to === undefined ? [] : changes.filter(({ was }) => ended.includes(was) !== isEnd);
  if (moved.length === 0) return;
  await (isEnd ? returnGifts : reviveGifts)(tx, workspaceId, moment, moved.map(wholeLine));
}

function wholeLine({ move: { gift }, amount, currency }: Change): GiftLine {
  const { requestId, position } = gift;
  return { requestId, position, amount: amount as number, currency: currency as string };
}

function spentLine({ move: { gift, detail }, currency }: Change): GiftLine {
  const { requestId, position } = gift;
  const { amount, redemptionId } = detail as { amount: number; redemptionId: number };
  return { requestId, position, amount, currency: currency as string, redemptionId };
}

/** Without what only the change needs. */
function loggedDetail({ by, detail: { thanks: _text, shortTokenHash: _hash, ...detail } = {} }: Move) {
  return { ...(by && { by }), ...detail };
}

const logSql = `
  insert into gift_log (workspace_id, id, request_id, position, type, at, detail)
  select $1, entry.id, entry.request_id, entry.position, entry.type, $2::timestamptz, entry.detail::jsonb
    from unnest($3::bigint[], $4::uuid[], $5::int[], $6::text[], $7::text[])
           as entry (id, request_id, position, type, detail)`;

function eventOf({ type, gift, by, data }: Move): NewEvent[] {
  const rule: Rule = rules[type];
  if (!rule.event) return [];
  const { id: giftId, requestId, memberId } = gift;
  return [{ type: rule.event, data: { giftId, requestId, memberId, ...data, ...byOf(by) } } as NewEvent];
}

/** Who did something, as events have it: without a name. */
export function byOf(actor: Actor | undefined): { by?: EventActor } {
  return actor ? { by: withoutName(actor) } : {};
}
