import type { Queryable } from './queryable.ts';

/**
 * Runs work about several workspaces: together, or on a cluster for each workspace apart, because a statement there names one. `work` gets the expression
 * that names the workspace in a statement: `joint`, or the parameter whose number is `parameter`, whose value it then gets too. What it
 * returns belongs to the items one by one.
 */
export async function byWorkspace<Item extends { workspaceId: number }, Out>(
  on: Queryable,
  items: readonly Item[],
  names: { joint: string; parameter: number },
  work: (items: readonly Item[], workspace: string, value: number[]) => Promise<readonly Out[]>,
): Promise<Out[]> {
  if (!on.isCluster) return [...(await work(items, names.joint, []))];
  const groups = Map.groupBy(items.keys(), (nth) => (items[nth] as Item).workspaceId);
  const results = new Array<Out>(items.length);
  for (const [workspaceId, places] of groups) {
    const some = places.map((nth) => items[nth] as Item);
    const outs = await work(some, `$${names.parameter}::bigint`, [workspaceId]);
    places.forEach((nth, at) => {
      results[nth] = outs[at] as Out;
    });
  }
  return results;
}

/**
 * A statement about orders of several workspaces: on a cluster, about those of one, which is the last parameter. `sql` gets the expression that names it.
 */
export function jointStatement(sql: (workspace: string) => string, joint: string, parameter: number) {
  const together = sql(joint);
  const apart = sql(`$${parameter}::bigint`);
  return (
    on: Queryable,
    items: readonly { workspaceId: number }[],
    values: readonly unknown[],
  ): [sql: string, values: readonly unknown[]] => {
    const [first] = items;
    if (!on.isCluster || !first) return [together, values];
    if (items.some(({ workspaceId }) => workspaceId !== first.workspaceId))
      throw new Error('a statement on a cluster names one workspace');
    return [apart, [...values, first.workspaceId]];
  };
}

/** A statement that finds rows which are due. `condition` belongs to its conditions, `end` behind its sequence. */
export interface DueStatement {
  sql: (condition: string, end: string) => string;
  values: readonly unknown[];
  /** The column that names the workspace of a row. */
  column: string;
  /** Locks the row, and passes over those that another transaction has locked. */
  lock: string;
}

const candidates = 20;

/** The first row that is due and not locked, locked. On a cluster, rows are found first, and locked in their workspace then. */
export async function claimFirst<Row extends { workspaceId: number }>(
  tx: Queryable,
  { sql, values, column, lock }: DueStatement,
): Promise<Row | null> {
  if (!tx.isCluster) return (await tx.query<Row>(sql('', `limit 1 ${lock}`), values))[0] ?? null;
  const due = await tx.query<Row>(sql('', `limit ${candidates}`), values);
  for (const workspaceId of new Set(due.map((row) => row.workspaceId))) {
    const condition = `and ${column} = $${values.length + 1}`;
    const [row] = await tx.query<Row>(sql(condition, `limit 1 ${lock}`), [...values, workspaceId]);
    if (row) return row;
  }
  return null;
}

/**
 * A statement about the workspace $1 whose tables are joined by `x.workspace_id = y.workspace_id`, where `x` is the table that is added and `y` one
 * before it: each table is compared with the parameter instead. PostgreSQL finds the same rows.
 */
export function namingWorkspace(sql: string): string {
  return sql.replace(/\b(\w+)\.workspace_id( *)= (?:\w+)\.workspace_id\b/g, '$1.workspace_id$2= $$1::bigint');
}
