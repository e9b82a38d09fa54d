import { theService } from '../../company/workspaces/audit.ts';
import { lockWorkspace } from '../../company/workspaces/lock.ts';
import { recordAt } from '../../company/workspaces/replayed.ts';
import { type Gift, readGiftsById } from '../../giving/gifts/gift.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import { prepareCodes, storeCodes } from '../../spending/code-pools/add-codes.ts';
import { addPool } from '../../spending/code-pools/pools.ts';
import { decideSpendingRequest } from '../../spending/redemptions/decide.ts';
import { reverse } from '../../spending/redemptions/finish.ts';
import { closePayroll } from '../../spending/redemptions/payroll.ts';
import { redeem } from '../../spending/redemptions/redeem.ts';
import { type Choice, spendAsOwner } from '../../spending/redemptions/spend.ts';
import { readSpendingOption, setSpendingOption } from '../../spending/redemptions/spending-options.ts';
import { createRandom } from './random.ts';
import type { Stage } from './replay.ts';

/** The shops of the demo's pool, and how many codes of each are left. One has few, and one has none. */
const shops = [
  { retailer: 'Harbour Books', value: 25, left: 4 },
  { retailer: 'Harbour Books', value: 10, left: 20 },
  { retailer: 'Café Lumen', value: 10, left: 0 },
  { retailer: 'Trailhead', value: 20, left: 14 },
];

/** Offers every kind of spending option, with a pool that is nearly empty, and lets some recipients spend their gifts: a redemption in each state. */
export async function addSpending(stage: Stage, now: number): Promise<void> {
  const { tx, workspaceId } = stage;
  await lockWorkspace(tx, workspaceId);
  const plan = planOf(await readClaimed(stage), now);
  recordAt(tx, new Date((plan[0]?.at.getTime() ?? now) - dayMs));
  const poolId = await fillPool(stage, plan);
  const position = (nth: number) => ({ position: nth });
  await setSpendingOption(tx, workspaceId, 'cards', { kind: 'POOL', name: 'A gift card', poolId, ...position(1) });
  const shop = { name: 'In the company shop', link: 'https://shop.example.com/?gift={code}' };
  await setSpendingOption(tx, workspaceId, 'shop', { kind: 'TILL', ...shop, ...position(2) });
  const charity = 'Northwind passes on every cent. Say to whom, if you like.';
  await setSpendingOption(tx, workspaceId, 'charity', {
    kind: 'HAND',
    name: 'Give it to charity',
    description: charity,
    ...position(3),
  });
  await spendAll(stage, plan);
  recordAt(tx, new Date(now));
}

async function fillPool({ tx, workspaceId, keys }: Stage, plan: readonly Planned[]): Promise<number> {
  const { id } = await addPool(tx, theService, workspaceId, { name: 'Gift cards', currency: 'CAD', lowAt: 5 });
  const taken = (retailer: string, value: number) =>
    plan.filter(({ choice }) => choice.retailer === retailer && choice.amount === value).length;
  const lines = shops.flatMap(({ retailer, value, left }, shop) =>
    Array.from(
      { length: taken(retailer, value) + left },
      (_, nth) => `${retailer},${value},DEMO-${shop}${1_000 + nth}-${7_919 * (nth + 1)},,`,
    ),
  );
  const file = Buffer.from(['retailer,value,code,pin,expiry', ...lines].join('\n'));
  await storeCodes(tx, theService, workspaceId, id, await prepareCodes(tx, keys, workspaceId, id, file));
  return id;
}

type Wanted = Omit<Choice, 'option'> & {
  option: 'payroll' | 'cards' | 'charity' | 'shop';
  ending?: 'fulfil' | 'decline' | 'void';
  /** What the people team answers. */
  answer?: string;
};

/** What owners choose, in turn. */
const wanted: readonly Wanted[] = [
  { option: 'payroll', amount: 10 },
  { option: 'cards', amount: 25, retailer: 'Harbour Books' },
  { option: 'cards', amount: 10, retailer: 'Café Lumen' },
  {
    option: 'charity',
    amount: 10,
    requestText: 'The food bank in Halifax',
    ending: 'fulfil',
    answer: 'The food bank sends its thanks.',
  },
  { option: 'shop', amount: 7.5 },
  { option: 'payroll', amount: 25 },
  { option: 'cards', amount: 10, retailer: 'Café Lumen' },
  {
    option: 'charity',
    amount: 5,
    requestText: 'Trees, please',
    ending: 'fulfil',
    answer: 'Five trees were planted in your name.',
  },
  { option: 'cards', amount: 20, retailer: 'Trailhead' },
  { option: 'payroll', amount: 20 },
  {
    option: 'charity',
    amount: 10,
    requestText: 'A boat',
    ending: 'decline',
    answer: 'We found no charity for boats. Sorry.',
  },
  { option: 'shop', amount: 10, ending: 'void' },
  { option: 'cards', amount: 25, retailer: 'Harbour Books' },
  { option: 'payroll', amount: 15 },
];

const dayMs = 86_400_000;
interface Claimed {
  id: number;
  amount: number;
  claimedAt: Date;
}

interface Planned {
  giftId: number;
  at: Date;
  choice: Wanted;
}

/** Who spends what and when, the earliest first: two of three gifts, some hours to days after they were claimed. */
function planOf(claimed: readonly Claimed[], now: number): Planned[] {
  const random = createRandom(11);
  return claimed
    .filter((_, nth) => nth % 3 !== 2)
    .flatMap(({ id, amount, claimedAt }, nth): Planned[] => {
      const choice = wanted[nth % wanted.length] as Wanted;
      const at = new Date(claimedAt.getTime() + (0.05 + random() ** 2 * 8) * dayMs);
      return choice.amount > amount || at.getTime() > now ? [] : [{ giftId: id, at, choice }];
    })
    .sort((one, other) => one.at.getTime() - other.at.getTime());
}

/**
 * Spends as planned. The payroll of a month is exported when the next month has begun. On every day of a start, the latest request waits
 * for a decision, and something is due for the next payroll.
 */
async function spendAll(stage: Stage, plan: readonly Planned[]): Promise<void> {
  const { tx, workspaceId } = stage;
  const latest = (option: Wanted['option']) => plan.findLastIndex(({ choice }) => choice.option === option);
  const [lastPayroll, lastRequest] = [latest('payroll'), latest('charity')];
  const gifts = await readGiftsById(
    tx,
    workspaceId,
    plan.map(({ giftId }) => giftId),
  );
  const giftOf = new Map(gifts.map((gift) => [gift.id, gift]));
  let month: string | null = null;
  for (const [nth, { giftId, at, choice }] of plan.entries()) {
    recordAt(tx, at);
    const thisMonth = at.toISOString().slice(0, 7);
    if (month !== null && month !== thisMonth && nth <= lastPayroll)
      await closePayroll(tx, stage.peopleTeam, workspaceId);
    month = thisMonth;
    const { ending, answer, ...undecided } = choice;
    await spendOne(stage, giftOf.get(giftId) as Gift, nth === lastRequest ? undecided : choice, `demo-${nth}`);
  }
}

async function spendOne(stage: Stage, gift: Gift, { ending, answer, ...choice }: Wanted, key: string): Promise<void> {
  const { tx, workspaceId, tokenId, senderName, peopleTeam } = stage;
  const till: Actor = { is: 'TOKEN', id: tokenId, name: senderName };
  const { redemption } =
    choice.option === 'shop'
      ? await redeem(tx, workspaceId, {
          gift,
          option: await readSpendingOption(tx, workspaceId, choice.option),
          by: till,
          amount: choice.amount,
          detail: { reference: `Till 2, ${key}` },
        })
      : await spendAsOwner(tx, gift, choice, key);
  if (ending === 'void') await reverse(tx, till, workspaceId, [redemption.id]);
  else if (ending) await decideSpendingRequest(tx, peopleTeam, workspaceId, redemption.id, ending, answer);
}

/** The gifts that were claimed in the currency of the pool, the earliest first. */
function readClaimed({ tx, workspaceId }: Stage): Promise<Claimed[]> {
  return tx.query<Claimed>(
    `select c.id, c.amount, c.claimed_at as "claimedAt"
       from certificates c
       join order_requests r on r.workspace_id = c.workspace_id and r.request_id = c.request_id
      where c.workspace_id = $1
        and c.state = 'CLAIMED'
        and r.currency = 'CAD'
      order by c.claimed_at, c.id`,
    [workspaceId],
  );
}
