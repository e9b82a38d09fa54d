import { lockWorkspace } from '../../company/workspaces/lock.ts';
import { eraseBodies } from '../../giving/orders/erase-bodies.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { declaredData } from './declared.ts';
import { canNeutralize, type ErasedPeople, neutralizeRows, removeRows } from './rows.ts';
import type { Traces } from './scrub.ts';
import { isSearched, searchRows } from './search.ts';

/** The work for people who are erased together: their records are erased already. */
export interface Work extends ErasedPeople {
  traces: Traces;
}

/** A part of the work. Each batch is one transaction, so a crash repeats nothing. */
interface Step {
  name: string;
  /** Returns where the next batch begins; null after the last one. */
  run: (tx: Queryable, work: Work, after: string | null) => Promise<string | null>;
}

/** So few that a batch holds the workspace's lock for a few milliseconds. */
const rowsChanged = 100;
const bodiesChanged = 25;

/** Rows that are changed are no longer found, so the next batch begins at the front. */
function repeated(name: string, run: (tx: Queryable, work: Work) => Promise<number>): Step {
  return {
    name,
    async run(tx, work) {
      await lockWorkspace(tx, work.workspaceId);
      return (await run(tx, work)) < rowsChanged ? null : '';
    },
  };
}

/** All parts, in their sequence. The bodies of orders come first: they say whose the gifts are. */
const steps: readonly Step[] = [
  {
    name: 'bodies',
    async run(tx, { workspaceId, records }, after) {
      await lockWorkspace(tx, workspaceId);
      return eraseBodies(tx, workspaceId, records, after, bodiesChanged);
    },
  },
  ...declaredData
    .filter(canNeutralize)
    .map((declared) =>
      repeated(`columns ${declared.table}`, (tx, work) => neutralizeRows(tx, declared, work, rowsChanged)),
    ),
  ...declaredData
    .filter(({ goes }) => goes)
    .map((declared) => repeated(`rows ${declared.table}`, (tx, work) => removeRows(tx, declared, work, rowsChanged))),
  ...declaredData.filter(isSearched).map(
    (declared): Step => ({
      name: `texts ${declared.table}`,
      run: (tx, { workspaceId, traces }, after) => searchRows(tx, declared, workspaceId, traces, after),
    }),
  ),
];

export const firstStep = steps[0]?.name as string;

/** Does the next batch. Returns which is the next one; null: the work is done. A step that a former version had is passed over. */
export async function runStep(
  tx: Queryable,
  work: Work,
  name: string,
  after: string | null,
): Promise<{ step: string; after: string | null } | null> {
  const nth = Math.max(
    0,
    steps.findIndex((one) => one.name === name),
  );
  const next = await (steps[nth] as Step).run(tx, work, after);
  if (next !== null) return { step: name, after: next };
  const following = steps[nth + 1];
  return following ? { step: following.name, after: null } : null;
}
