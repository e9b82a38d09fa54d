import { theService } from '../../company/workspaces/audit.ts';
import { lockWorkspace } from '../../company/workspaces/lock.ts';
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
import type { Stage } from './replay.ts';

/** Codes of the demo's shops: how many of each value. Few are left of one, and none of another. */
const shops = [
  { retailer: 'Harbour Books', value: 25, count: 6 },
  { retailer: 'Harbour Books', value: 10, count: 20 },
  { retailer: 'Café Lumen', value: 10, count: 2 },
  { retailer: 'Trailhead', value: 20, count: 15 },
];

/** Offers every kind of spending option, with a pool that is nearly empty, and lets some recipients spend their gifts: a redemption in each state. */
export async function addSpending(stage: Stage): Promise<void> {
  const { tx, workspaceId } = stage;
  await lockWorkspace(tx, workspaceId);
  const poolId = await fillPool(stage);
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
  await spendSome(stage);
}

async function fillPool({ tx, workspaceId, keys }: Stage): Promise<number> {
  const { id } = await addPool(tx, theService, workspaceId, { name: 'Gift cards', currency: 'CAD', lowAt: 5 });
  const lines = shops.flatMap(({ retailer, value, count }, shop) =>
    Array.from({ length: count }, (_, nth) => `${retailer},${value},DEMO-${shop}${1_000 + nth}-${7_919 * (nth + 1)},,`),
  );
  const file = Buffer.from(['retailer,value,code,pin,expiry', ...lines].join('\n'));
  await storeCodes(tx, theService, workspaceId, id, await prepareCodes(tx, keys, workspaceId, id, file));
  return id;
}

type Wanted = Omit<Choice, 'option'> & {
  option: 'payroll' | 'cards' | 'charity' | 'shop';
  ending?: 'fulfil' | 'decline' | 'void';
};

/** What the owners of the latest gifts choose, one after the other. The first of them are in a payroll export. */
const wanted: readonly Wanted[] = [
  { option: 'payroll', amount: 10 },
  { option: 'payroll', amount: 25 },
  { option: 'cards', amount: 10, retailer: 'Café Lumen' },
  { option: 'charity', amount: 10, requestText: 'The food bank in Halifax' },
  { option: 'shop', amount: 7.5 },
  { option: 'cards', amount: 10, retailer: 'Café Lumen' },
  { option: 'charity', amount: 5, requestText: 'Trees, please', ending: 'fulfil' },
  { option: 'cards', amount: 25, retailer: 'Harbour Books' },
  { option: 'payroll', amount: 20 },
  { option: 'charity', amount: 10, requestText: 'A boat', ending: 'decline' },
  { option: 'shop', amount: 10, ending: 'void' },
  { option: 'cards', amount: 25, retailer: 'Harbour Books' },
  { option: 'cards', amount: 20, retailer: 'Trailhead' },
  { option: 'payroll', amount: 15 },
];

async function spendSome(stage: Stage): Promise<void> {
  const gifts = await readOwned(stage);
  for (const [nth, choice] of wanted.entries()) {
    const at = gifts.findIndex(({ amount }) => amount >= choice.amount);
    const [gift] = at < 0 ? [] : gifts.splice(at, 1);
    if (gift) await spendOne(stage, gift, choice, `demo-${nth}`);
    if (nth + 1 === exported) await closePayroll(stage.tx, actorOf(stage), stage.workspaceId);
  }
}

const exported = 2;

function actorOf({ tokenId: id, senderName: name }: Stage): Actor {
  return { is: 'TOKEN', id, name };
}

async function spendOne(stage: Stage, gift: Gift, { ending, ...choice }: Wanted, key: string): Promise<void> {
  const { tx, workspaceId } = stage;
  const till = actorOf(stage);
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
  else if (ending) await decideSpendingRequest(tx, theService, workspaceId, redemption.id, ending, notes[ending]);
}

const notes = {
  fulfil: 'Forty trees were planted in your name.',
  decline: 'We could not find a boat for that. Sorry.',
};

/** The gifts that were claimed last, in the currency of the pool. */
async function readOwned({ tx, workspaceId }: Stage): Promise<Gift[]> {
  const claimed = await tx.query<{ id: number }>(
    `select c.id
       from certificates c
       join order_requests r on r.workspace_id = c.workspace_id and r.request_id = c.request_id
      where c.workspace_id = $1
        and c.state = 'CLAIMED'
        and r.currency = 'CAD'
      order by c.claimed_at desc, c.id
      limit 40`,
    [workspaceId],
  );
  return readGiftsById(
    tx,
    workspaceId,
    claimed.map(({ id }) => id),
  );
}
