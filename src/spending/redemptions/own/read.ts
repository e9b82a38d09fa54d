import { recordsOf } from '../../../company/directory/who.ts';
import type { Gift } from '../../../giving/gifts/gift.ts';
import { readCodeLimit } from '../../../giving/gifts/own/list.ts';
import { readSpendable } from '../../../giving/gifts/own/spendable.ts';
import type { Claimant } from '../../../giving/gifts/own/standing.ts';
import type { GiftRedemption, Spending } from '../../../ground/contract/my-spending.ts';
import type { Redemption, RedemptionState } from '../../../ground/contract/redemption.ts';
import type { Queryable } from '../../../ground/database/database.ts';
import { Failure } from '../../../ground/errors.ts';
import { sumOf } from '../../../ground/values/money.ts';
import { type SpendingOptionKind, spendingKinds } from '../../../ground/values/spending-kinds.ts';
import { readRedemptionsOfGift } from '../read.ts';
import { leftOfAll } from './draw.ts';

interface PartRow {
  redemptionId: number;
  spendingId: number | null;
  state: RedemptionState;
  kind: SpendingOptionKind;
  spendingOption: string;
  spendingOptionName: string;
  retailer: string | null;
  amount: number;
  currency: string;
  left: number;
  giftId: number;
  senderId: number;
  senderName: string;
  thanks: string | null;
  requestText: string | null;
  note: string | null;
  spentAt: Date;
  finishedAt: Date | null;
  isExported: boolean;
}

/** What a person has spent at once. Throws a Failure if it was not theirs. */
export async function readOwnSpending(on: Queryable, recipient: Claimant, id: number): Promise<Spending> {
  const rows = await readParts(on, recipient, id);
  const [first] = rows;
  if (!first) throw noSpending();
  const { kind, spendingOption, spendingOptionName, retailer, state, currency, requestText, note } = first;
  const sources = await readSpendable(on, recipient, currency, await readCodeLimit(on, recipient));
  return {
    id: first.spendingId ?? first.redemptionId,
    amount: sumOf(rows.map(({ amount }) => amount)),
    currency,
    left: leftOfAll(sources),
    state,
    kind,
    spendingOption,
    spendingOptionName,
    retailer,
    requestText,
    note,
    spentAt: first.spentAt.toISOString(),
    finishedAt: first.finishedAt?.toISOString() ?? null,
    hasCode: hasCode(first),
    isReversible: isReversible(rows),
    gifts: rows.map(({ redemptionId, giftId, senderId, senderName, amount, left, thanks }) => ({
      redemptionId,
      giftId,
      senderId,
      senderName,
      amount,
      left,
      thanks,
    })),
  };
}

export function noSpending(): Failure {
  return new Failure('missing', 'You have spent nothing with this id.');
}

/** Whether recipients may reverse it themselves: no payroll export has it yet. */
function isReversible(rows: readonly PartRow[]): boolean {
  return rows.every(
    ({ kind, state, isExported }) => spendingKinds[kind].recipientsReverse && state === 'DONE' && !isExported,
  );
}

/** Only the first redemption has the code of a gift card. */
function hasCode({
  kind,
  state,
  redemptionId,
  spendingId,
}: Pick<PartRow, 'kind' | 'state' | 'redemptionId' | 'spendingId'>) {
  return (
    spendingKinds[kind].fulfilledBy === 'code' &&
    state === 'DONE' &&
    (spendingId === null || spendingId === redemptionId)
  );
}

/** The redemptions of a person that were made together with one, itself too. A split of records may have left others with another person. */
function readParts(on: Queryable, { workspaceId, memberId }: Claimant, id: number): Promise<PartRow[]> {
  return on.query<PartRow>(partsSql, [workspaceId, memberId, id]);
}

const partsSql = `
  select d.id as "redemptionId", d.spending_id as "spendingId", d.state, d.kind, d.spending_option as "spendingOption",
         d.spending_option_name as "spendingOptionName", d.retailer, d.amount, r.currency, c.amount - c.redeemed as "left", c.id as "giftId",
         r.sender_id as "senderId", r.sender_name as "senderName", c.thanks, d.detail ->> 'requestText' as "requestText", d.detail ->> 'note' as note,
         d.at as "spentAt", d.finished_at as "finishedAt", d.exported_in is not null as "isExported"
    from redemptions d
    join certificates c   on c.workspace_id = d.workspace_id and c.request_id = d.request_id and c.position = d.position
    join order_requests r on r.workspace_id = d.workspace_id and r.request_id = d.request_id
   where d.workspace_id = $1
     and (d.id = $3 or d.spending_id = (select asked.spending_id from redemptions asked where asked.workspace_id = $1 and asked.id = $3))
     and c.member_id in (${recordsOf('$1', '$2')})
   order by d.id`;

/** What was spent of a gift of the caller, the newest first. */
export async function readOwnRedemptions(on: Queryable, gift: Gift): Promise<GiftRedemption[]> {
  return (await readRedemptionsOfGift(on, gift.workspaceId, gift)).map(ownRedemption);
}

function ownRedemption(redemption: Redemption): GiftRedemption {
  const { id, spendingId, state, kind, spendingOption, spendingOptionName, retailer } = redemption;
  return {
    id,
    spendingId: spendingId ?? id,
    isTogether: spendingId !== null,
    amount: redemption.amount,
    reference: redemption.reference,
    state,
    kind,
    spendingOption,
    spendingOptionName,
    retailer,
    requestText: redemption.requestText,
    note: redemption.note,
    spentAt: redemption.redeemedAt,
    finishedAt: redemption.finishedAt,
    hasCode: hasCode({ kind, state, redemptionId: id, spendingId }),
  };
}
