import type { Goal } from './goal.ts';
import { ratio, type Series } from './series.ts';

const subjects = {
  order: ['an order from accept to COMPLETED while another workspace has a million gifts waiting', 2],
  shoutout: ['giving a shoutout while 64 callers of another workspace give one after the other', 5],
  webhook: ['an event reaching its webhook while another workspace has 200,000 to deliver', 2],
  mail: ['an order from accept to its mail sent while another workspace has 20,000 mails waiting', 2],
  erasures: ['an order from accept to COMPLETED while 10,000 people of another workspace are erased', 2],
  beside: ['an order from accept to COMPLETED while the lock of another workspace is held, and its writers wait', 2],
} as const;

/** One thing of a workspace, while another one floods the service: compared with an idle service, on one node and on two. */
export const fairnessGoals: Goal[] = [1, 2].flatMap((nodes) =>
  Object.entries(subjects).map(([name, [measure, target]]) => ({
    measure: `${measure}, on ${nodes === 1 ? 'one node' : 'two nodes'}`,
    comparedWith: 'the same on an idle service',
    kind: 'time' as const,
    target,
    atLeast: false,
    read: (series: Series) => ratio(series[`${name} flooded ${nodes}`], series[`${name} idle ${nodes}`]),
  })),
);
