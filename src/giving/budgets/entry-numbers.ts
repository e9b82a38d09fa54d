import type { Queryable } from '../../ground/database/database.ts';
import { countOfNumbers, historyEnds } from '../../ground/database/history.ts';

/** How many entries the book `b` of the workspace $1 has, as an SQL expression. Its latest number says that only until the first new history. */
export const entryCount = countOfNumbers({
  table: 'ledger_entries',
  of: 'n.workspace_id = $1::bigint and n.budget_id = b.id',
  after: '0',
  latest: 'b.latest',
});

/** The entries of a book in one history: their numbers are `base` + 1 to `latest`. */
export interface NumberSpan {
  base: number;
  latest: number;
}

/** The newest first. */
export function readSpans(on: Queryable, workspaceId: number, budgetId: number): Promise<NumberSpan[]> {
  return on.query<NumberSpan>(
    `select h.base, last.number as latest
       from ${historyEnds} h
      cross join lateral (select e.number
                            from ledger_entries e
                           where e.workspace_id = $1
                             and e.budget_id = $2
                             and e.number > h.base
                             and (h.until is null or e.number <= h.until)
                           order by e.number desc
                           limit 1) last
      order by h.base desc`,
    [workspaceId, budgetId],
  );
}

export function countEntries(spans: readonly NumberSpan[]): number {
  return spans.reduce((sum, { base, latest }) => sum + latest - base, 0);
}

/** The number of the entry that has this many newer ones. 0: there are fewer entries. */
export function numberAt(spans: readonly NumberSpan[], newer: number): number {
  let left = newer;
  for (const { base, latest } of spans) {
    if (left < latest - base) return latest - left;
    left -= latest - base;
  }
  return 0;
}
