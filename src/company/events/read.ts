import { type EventRecord, type EventType, eventTypeNames } from '../../ground/contract/event.ts';
import type { EventPage } from '../../ground/contract/event-list.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { Failure, invalid } from '../../ground/errors.ts';
import { type EventRow, eventColumns, eventRecord } from './log.ts';

export interface PageRequest {
  after: number | null;
  size: number;
  types: readonly EventType[] | null;
}

/** Which events a workspace's log holds, and whether a number that a caller names is that of a lost one. */
interface Extent {
  latest: number;
  /** Events up to this number were removed because of their age. */
  removedThrough: number;
  history: string;
  /** New events have greater numbers. */
  base: number;
  isLost: boolean;
  /** The last event before the number that the caller names. */
  lastBefore: number;
}

/** A row of a page; where the page has no event, one row without an event. */
type PageRow = Extent & (EventRow | { number: null });

/** A page of a workspace's events, the oldest first. `next` moves on past events of other types, too. */
export async function readEvents(database: Queryable, workspaceId: number, request: PageRequest): Promise<EventPage> {
  const { after, size, types } = request;
  const rows =
    types === null
      ? await database.query<PageRow>(pageSql, [workspaceId, after, size])
      : await database.query<PageRow>(pageOfTypesSql, [workspaceId, after, size, types]);
  const extent = rows[0] as PageRow;
  const { latest, removedThrough, history } = extent;
  checkStart(after ?? removedThrough, extent);
  const events = rows.flatMap((row) => (row.number === null ? [] : [eventRecord(workspaceId, row)]));
  const last = events.length === size ? events.at(-1)?.number : undefined;
  return { events, next: last ?? latest, latest, history };
}

function checkStart(after: number, extent: Extent): void {
  const { latest, removedThrough } = extent;
  refuseLost('after', extent);
  if (after > latest) throw beyondLatest('after', latest);
  if (after < removedThrough)
    throw new Failure(
      'gone',
      `Events up to ${removedThrough} were removed because of their age: the oldest is ${removedThrough + 1}. Ask with after=${removedThrough}.`,
    );
}

/** Rejects the number of an event that was lost when the database went back in time. */
export function refuseLost(parameter: string, { isLost, lastBefore, base, history }: Extent): void {
  if (!isLost) return;
  const next = parameter === 'after' ? lastBefore : lastBefore + 1;
  throw new Failure(
    'gone',
    `The database was restored to an earlier state, and events from ${lastBefore + 1} to this number are lost: discard what you ` +
      `know of them. New events have numbers above ${base} (history ${history}). Continue with ${parameter}=${next}.`,
  );
}

export function beyondLatest(path: string, latest: number): Failure {
  return invalid([{ path, problem: `is beyond the latest event of this workspace, which is ${latest}` }]);
}

/** Finds an event by its id, `evt_<workspace>_<number>`. Another workspace's event counts as missing. */
export async function findEvent(database: Queryable, workspaceId: number, id: string): Promise<EventRecord> {
  const [, workspace, number] = (/^evt_(\d{1,15})_(\d{1,15})$/.exec(id) ?? []).map(Number);
  const event = workspace === workspaceId ? await readEvent(database, workspaceId, number as number) : null;
  if (!event) throw new Failure('missing', 'There is no event with this id in this workspace.');
  return event;
}

async function readEvent(database: Queryable, workspaceId: number, number: number): Promise<EventRecord | null> {
  const [row] = await database.query<EventRow>(
    `select ${eventColumns} from events e where e.workspace_id = $1 and e.number = $2`,
    [workspaceId, number],
  );
  return row ? eventRecord(workspaceId, row) : null;
}

/** The latest numbers of some workspaces, for readers who wait. */
export async function readLatest(database: Queryable, workspaceIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await database.query<{ workspaceId: number; latest: number }>(
    'select workspace_id as "workspaceId", latest from event_counters where workspace_id = any($1::bigint[])',
    [workspaceIds],
  );
  return new Map(rows.map(({ workspaceId, latest }) => [workspaceId, latest]));
}

/** `order.completed,order.failed` as types. */
export function parseTypes(text: string | undefined): EventType[] | null {
  if (text === undefined) return null;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !eventTypeNames.includes(name as EventType));
  if (unknown.length > 0)
    throw invalid([
      { path: 'types', problem: `has ${unknown.join(', ')}, which is no type; there are ${eventTypeNames.join(', ')}` },
    ]);
  return [...new Set(names)] as EventType[];
}

/** Which events a workspace's log holds: those after `removedThrough`, up to `latest`. `number`: one that a caller names. */
export function readExtent(database: Queryable, workspaceId: number, number: number): Promise<Extent> {
  return queryOne<Extent>(database, `select ${extentColumns} from ${extentTables}`, [workspaceId, number]);
}

// Within a history numbers have no gap, so a number up to the base that no event has is that of a lost one.
const extentColumns = `
  coalesce(c.latest, 0) as latest, coalesce(c.removed_through, 0) as "removedThrough", h.id as history, h.base,
  asked.is_lost as "isLost",
  case when asked.is_lost
       then coalesce((select max(number) from events where workspace_id = $1 and number < $2::bigint), c.removed_through, 0)
       else 0 end as "lastBefore"`;

const extentTables = `
  (select * from histories order by base desc limit 1) h
    left join event_counters c on c.workspace_id = $1
   cross join lateral (
           select coalesce($2::bigint > coalesce(c.removed_through, 0)
                           and $2::bigint <= h.base
                           and not exists (select from events where workspace_id = $1 and number = $2::bigint), false) as is_lost) asked`;

// One statement reads the page and how far the log reaches: events that are removed between two would be a silent gap.
const withExtent = (page: string) => `
  select ${extentColumns}, page.*
    from ${extentTables}
    left join lateral (${page}) page on true
   order by page.number`;

const pageSql = withExtent(`
           select ${eventColumns}
             from events e
            where e.workspace_id = $1
              and e.number > coalesce($2, c.removed_through)
              and e.number <= c.latest
            order by e.number
            limit $3`);

// Each type is read on its own, in its index, so that a rare one is found without reading the others.
const pageOfTypesSql = withExtent(`
           select e.*
             from unnest($4::text[]) as asked (type)
            cross join lateral (
                    select ${eventColumns}
                      from events e
                     where e.workspace_id = $1
                       and e.type = asked.type
                       and e.number > coalesce($2, c.removed_through)
                       and e.number <= c.latest
                     order by e.number
                     limit $3) e
            order by e.number
            limit $3`);
