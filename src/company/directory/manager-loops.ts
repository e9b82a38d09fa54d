import type { Queryable } from '../../ground/database/database.ts';
import { invalid } from '../../ground/errors.ts';

/** A person, and who shall manage them. */
export interface WantedManager {
  id: number;
  managerId: number | null;
}

/** What is to be written, and not in the database yet: a person's manager; undefined: the database knows it. */
type Unwritten = (id: number) => number | null | undefined;

/**
 * The people whose wanted manager would close a loop: the manager reports to them, directly or not, or is the person. The changes are
 * made in their order, so of several that close a loop together, the last one is named. Every change of a manager passes this check. The
 * caller holds the workspace's lock.
 */
export async function findLoops(
  tx: Queryable,
  workspaceId: number,
  wanted: readonly WantedManager[],
  unwritten: Unwritten = () => undefined,
): Promise<Set<number>> {
  const above = await readAbove(tx, workspaceId, wanted, unwritten);
  return closeLoops(above, wanted);
}

/** The same among people who are added together: no other person reports to them yet. */
export function findLoopsAmong(wanted: readonly WantedManager[]): Set<number> {
  return closeLoops(new Map(), wanted);
}

/** Throws if one of these changes would close a loop. */
export async function checkLoops(tx: Queryable, workspaceId: number, wanted: readonly WantedManager[]): Promise<void> {
  reject(await findLoops(tx, workspaceId, wanted));
}

/** The same for people who are added together. */
export function checkLoopsAmong(wanted: readonly WantedManager[]): void {
  reject(findLoopsAmong(wanted));
}

function reject(closing: ReadonlySet<number>): void {
  if (closing.size > 0) throw invalid([{ path: 'managerId', problem: closesLoop }]);
}

export const closesLoop = 'must be another person, who does not report to this one';

type Managers = Map<number, number | null>;

function closeLoops(managers: Managers, wanted: readonly WantedManager[]): Set<number> {
  const closing = new Set<number>();
  // Looking at all changes together takes one pass; one by one, each looks at the whole line above it.
  const together = new Map([...managers, ...wanted.map(({ id, managerId }) => [id, managerId] as const)]);
  const inLoops = new Set(loopsOf(together).flat());
  if (!wanted.some(({ id }) => inLoops.has(id))) return closing;
  for (const { id, managerId } of wanted)
    if (managerId !== null && isAbove(managers, managerId, id)) closing.add(id);
    else managers.set(id, managerId);
  return closing;
}

/** Whether a person is another one, or manages them directly or not. Loops that were there before end the way up. */
function isAbove(managers: Managers, below: number, person: number): boolean {
  const met = new Set<number>();
  for (let at: number | null | undefined = below; at && !met.has(at); at = managers.get(at)) {
    if (at === person) return true;
    met.add(at);
  }
  return false;
}

/** The managers of all people above the wanted ones. Unwritten changes may refer to people whose line is not read yet. */
async function readAbove(
  tx: Queryable,
  workspaceId: number,
  wanted: readonly WantedManager[],
  unwritten: Unwritten,
): Promise<Managers> {
  const managers: Managers = new Map();
  let open = wanted.flatMap(({ managerId }) => managerId ?? []);
  while (open.length > 0) {
    const rows = await tx.query<{ id: number; managerId: number | null }>(aboveSql, [workspaceId, [...new Set(open)]]);
    const read = new Map(rows.map(({ id, managerId }) => [id, managerId]));
    for (const id of open) if (!read.has(id)) read.set(id, null);
    for (const [id, managerId] of read) {
      const said = unwritten(id);
      managers.set(id, said === undefined ? managerId : said);
    }
    open = [...read.keys()].flatMap((id) => {
      const managerId = managers.get(id);
      return managerId && !managers.has(managerId) ? [managerId] : [];
    });
  }
  return managers;
}

const aboveSql = `
  with recursive above (id, manager_id) as (
    select id, manager_id from members where workspace_id = $1 and id = any($2::bigint[])
    union
    select m.id, m.manager_id from above join members m on m.workspace_id = $1 and m.id = above.manager_id
  )
  select id, manager_id as "managerId" from above`;

/** The loops of managers that a workspace has, each once, as the ids of its people. Earlier versions let them in. */
export async function readLoops(on: Queryable, workspaceId: number): Promise<number[][]> {
  const rows = await on.query<WantedManager>(managersSql, [workspaceId]);
  return loopsOf(new Map(rows.map(({ id, managerId }) => [id, managerId])));
}

// Each person of a loop has a report. Most people have none.
const managersSql = `
  select m.id, m.manager_id as "managerId"
    from members m
   where m.workspace_id = $1
     and m.manager_id is not null
     and exists (select from members report where report.workspace_id = $1 and report.manager_id = m.id)
   order by m.id`;

function loopsOf(managers: ReadonlyMap<number, number | null>): number[][] {
  const done = new Set<number>();
  const loops: number[][] = [];
  for (const id of managers.keys()) {
    const path: number[] = [];
    let at: number | null = id;
    for (; at !== null && !done.has(at); at = managers.get(at) ?? null) {
      path.push(at);
      done.add(at);
    }
    const begin = at === null ? -1 : path.indexOf(at);
    if (begin >= 0) loops.push(path.slice(begin));
  }
  return loops;
}
