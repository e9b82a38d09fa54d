import { theService } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { addRule } from '../../src/giving/approvals/rules.ts';
import type { NewRule } from '../../src/ground/contract/rule.ts';
import { fill } from '../fill.ts';
import { load } from '../load.ts';
import type { Bench } from '../programs.ts';
import { inRounds, type Series } from '../series.ts';
import type { Sizes } from '../sizes.ts';
import { costOf } from './cpu.ts';
import { anOrder } from './throughput.ts';

const asks: Pick<NewRule, 'currency' | 'outcome' | 'levels' | 'days'> = {
  currency: 'CAD',
  outcome: 'ASK',
  levels: [{ approvers: [{ is: 'ROLE', role: 'APPROVER' }] }],
  days: 7,
};

/** Those that no order of the measure fits: of another source, and above what is sent. */
const apart: NewRule[] = [
  { ...asks, name: 'Managers', from: { role: 'MANAGER' }, measure: 'GIFT', above: 0 },
  { ...asks, name: 'Support', from: { role: 'PEOPLE_TEAM' }, measure: 'ORDER', above: 0 },
  { ...asks, name: 'Large gifts', measure: 'GIFT', above: 5_000 },
];
const monthly: NewRule = { ...asks, name: 'A month', measure: 'SENDER_MONTH', above: 99_000_000 };

/** Long enough that every node knows the rules. */
const heardMs = 2_000;

/**
 * Orders a second that are accepted without rules, with rules that do not apply, and with one by the sender's month, in a new workspace and after a
 * million gifts. And the CPU time of an order in each of them, of the service and PostgreSQL together.
 */
export async function measureRules(
  bench: Bench,
  sizes: Sizes,
  onProgress: (share: number) => void = () => {},
): Promise<Series> {
  const service = await bench.startService('rules', { GIFTWIRE_ROLE: 'api' });
  const first = service.workspaceId;
  const [free, ruled, counted, old] = [first, first + 1, first + 2, first + 3];
  const history = { workspaceId: old, members: sizes.ledgerGifts / 100, gifts: sizes.ledgerGifts, giftsPerOrder: 20 };
  await fill(service.database, history, onProgress);
  await bench.checkpoint();
  const rules: [number, NewRule[]][] = [
    [ruled, apart],
    [counted, [monthly]],
    [old, [monthly]],
  ];
  for (const [workspaceId, some] of rules)
    for (const rule of some)
      await inWorkspace(service.database, workspaceId, (tx) => addRule(tx, theService, workspaceId, rule));
  await new Promise((resolve) => setTimeout(resolve, heardMs));
  const order = (workspaceId: number) => service.call('POST', '/api/v1/orders', anOrder(1), workspaceId);
  const rate = (workspaceId: number) => async () =>
    (await load({ url: service.url, calls: [order(workspaceId)], seconds: sizes.seconds })).perSecond;
  const cpuTime = (workspaceId: number) => async () => {
    const cost = await costOf(bench, service, [order(workspaceId)], sizes.seconds);
    return cost.program + cost.database;
  };
  const measures = {
    cpuWithoutRules: cpuTime(free),
    cpuRulesApart: cpuTime(ruled),
    cpuByMonth: cpuTime(counted),
    cpuByMonthOfMillion: cpuTime(old),
    acceptedWithoutRules: rate(free),
    acceptedRulesApart: rate(ruled),
    acceptedByMonth: rate(counted),
    acceptedByMonthOfMillion: rate(old),
  };
  await inRounds(Math.max(sizes.warmUps, 1), measures);
  return inRounds(sizes.rounds * 2, measures);
}
