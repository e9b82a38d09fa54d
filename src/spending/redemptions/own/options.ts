import { readCodeLimit } from '../../../giving/gifts/own/list.ts';
import { readSpendable, type SpendableGift } from '../../../giving/gifts/own/spendable.ts';
import type { Claimant } from '../../../giving/gifts/own/standing.ts';
import type { MySpendingOptions, NewSpending, SpendingPreview } from '../../../ground/contract/my-spending.ts';
import type { Pool } from '../../../ground/contract/pool.ts';
import type { SpendingOption } from '../../../ground/contract/spending-option.ts';
import type { Queryable } from '../../../ground/database/database.ts';
import { sumOf } from '../../../ground/values/money.ts';
import { spendingKinds } from '../../../ground/values/spending-kinds.ts';
import { listPools } from '../../code-pools/pools.ts';
import { isFor, limitsOf, readSpendingOptions } from '../spending-options.ts';
import { choose } from './choose.ts';
import { leftOfAll } from './draw.ts';

type Option = MySpendingOptions['spendingOptions'][number];

/** What a person can spend their gifts of a currency on. */
export async function readOwnOptions(on: Queryable, recipient: Claimant, currency: string): Promise<MySpendingOptions> {
  const { workspaceId } = recipient;
  const sources = await readSpendable(on, recipient, currency, await readCodeLimit(on, recipient));
  const options = (await readSpendingOptions(on, workspaceId)).filter((option) => isFor(option, { currency }));
  const pools = options.some(({ poolId }) => poolId !== null) ? await listPools(on, workspaceId) : [];
  return {
    currency,
    left: leftOfAll(sources),
    gifts: sources.length,
    spendingOptions: options.flatMap((option) => offer(option, currency, sources, pools)),
  };
}

/** The option with what it takes of these gifts; empty if that is nothing. */
function offer(
  option: SpendingOption,
  currency: string,
  sources: readonly SpendableGift[],
  pools: readonly Pool[],
): Option[] {
  const { id, kind, name, description, allowsParts, poolId, link } = option;
  const { fulfilledBy, whyAlone } = spendingKinds[kind];
  const limits = limitsOf(option, currency);
  const all = whyAlone === null ? leftOfAll(sources) : Math.max(0, ...sources.map(({ left }) => left));
  const least = allowsParts ? limits.least : Math.max(limits.least, sources[0]?.left ?? 0);
  const most = Math.min(all, limits.most);
  if (least > most) return [];
  const stocks = pools.find((pool) => pool.id === poolId && pool.currency === currency)?.stocks ?? [];
  return [
    {
      id,
      kind,
      fulfilledBy,
      name,
      description,
      isTogether: whyAlone === null,
      allowsParts,
      least,
      most,
      cards: stocks
        .filter(({ value }) => value >= limits.least && value <= most)
        .map(({ retailer, value, left }) => ({ retailer, value, isThere: left > 0 })),
      hasLink: link !== null,
    },
  ];
}

/** What a spending would do, with the same checks. It may still fail, for instance because the gift cards are gone. */
export async function previewSpending(
  on: Queryable,
  recipient: Claimant,
  asked: NewSpending,
): Promise<SpendingPreview> {
  const { option, draws, sources } = await choose(on, recipient, asked);
  const used = new Map(draws.map(({ from, amount }) => [from.id, amount]));
  const after = sources.map(({ id, left }) => sumOf([left, -(used.get(id) ?? 0)]));
  return {
    amount: asked.amount,
    currency: asked.currency,
    gifts: draws.map(({ from, amount }) => ({
      giftId: from.id,
      senderId: from.senderId,
      senderName: from.senderName,
      expiresAt: from.expiresAt?.toISOString() ?? null,
      before: from.left,
      amount,
      left: sumOf([from.left, -amount]),
    })),
    left: sumOf(after),
    giftsLeft: after.filter((left) => left > 0).length,
    isReversible: spendingKinds[option.kind].recipientsReverse,
  };
}
