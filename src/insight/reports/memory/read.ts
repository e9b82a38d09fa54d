import { columnsOf } from '../../../company/directory/columns.ts';
import { isPerson, leftOn } from '../../../company/directory/who.ts';
import { dayIn, zoneOf } from '../../../company/workspaces/days.ts';
import { noWorkspace } from '../../../company/workspaces/workspaces.ts';
import { joinById } from '../../../giving/recognition/shoutout-ids.ts';
import { type Queryable, queryOptional } from '../../../ground/database/database.ts';
import { historyBase } from '../../../ground/database/history.ts';
import { groupFields } from '../../../ground/values/member.ts';
import type { PersonColumns } from './people.ts';

/** The latest position of a workspace, and the position of a reader. */
export interface Position {
  /** The latest event. */
  event: number;
  /** The number of activities. */
  activities: number;
  /** When the latest activity was recorded, in seconds. */
  latest: number;
  /** The imports that are under way, and when each has written its latest batch. They have no events before their end. */
  imports: string;
  /** The workspace's time zone: another one has other days. */
  zone: string;
  /** The base of the history: after a restore, what was read may not exist any more. */
  history: number;
}

export interface State extends Position {
  /** Events up to this number were removed. */
  removed: number;
}

export async function readState(on: Queryable, workspaceId: number): Promise<State> {
  const state = await queryOptional<State>(on, `select ${stateColumns} from ${stateTables}`, [workspaceId]);
  if (!state) throw noWorkspace(workspaceId);
  return state;
}

/** The next members after an id. */
export async function readPeople(
  on: Queryable,
  workspaceId: number,
  after: number,
  rowsAtOnce: number,
): Promise<PersonColumns[]> {
  const rows = await on.query<{ person: PersonColumns }>(peopleSql, [workspaceId, after, rowsAtOnce]);
  return rows.map(({ person }) => person);
}

/** What has happened after a position, as of one moment. At most a number of events and activities, the earliest. */
export interface Changes extends State {
  /** Up to which event these changes were read. */
  readTo: number;
  people: PersonColumns[];
  wasImported: boolean;
  /** The columns of the activities, each as the text of an array. JSON would take PostgreSQL a third longer. */
  receivers: string;
  senders: string;
  days: string;
  kinds: string;
  /** Whether people were removed, whom the memory does not forget one by one. */
  wasImportUndone: boolean;
  decided: [number: number, kind: number][];
}

export async function readChanges(
  on: Queryable,
  workspaceId: number,
  { event, activities }: Pick<Position, 'event' | 'activities'>,
  rowsAtOnce: number,
): Promise<Changes> {
  const changes = await queryOptional<Changes>(on, changesSql, [workspaceId, event, activities, rowsAtOnce]);
  if (!changes) throw noWorkspace(workspaceId);
  return changes;
}

/** The texts as PostgreSQL lower-cases them. */
export async function lowerCase(on: Queryable, texts: readonly (string | null)[]): Promise<(string | null)[]> {
  const rows = await on.query<{ text: string | null }>(lowerSql, [texts]);
  return rows.map(({ text }) => text);
}

const lowerSql = `
  select lower(text) as text
    from unnest($1::text[]) with ordinality as given (text, nth)
   order by nth`;

const stateColumns = `
  c.total as activities,
  extract(epoch from c.latest)::float8 as latest,
  coalesce(e.latest, 0) as event,
  coalesce(e.removed_through, 0) as removed,
  ${zoneOf('$1')} as zone,
  ${historyBase} as history,
  coalesce((select string_agg(o.id || ' ' || o.changed_at, ' ' order by o.id)
              from open_imports o
             where o.workspace_id = $1), '') as imports`;

const stateTables = `
  (select * from activity_counters where workspace_id = $1) c
  left join event_counters e on e.workspace_id = c.workspace_id`;

/** The number of a day, from 1970-01-01. */
const numberOf = (day: string) => `${day} - date '1970-01-01'`;
const zone = zoneOf('$1');
const dayOf = (moment: string) => numberOf(dayIn(moment, zone));

/** A PersonRow of `members m`. */
const person = `
  json_build_array(
    m.id, m.merged_into, case when ${isPerson('m')} then greatest(${dayOf('m.created_at')}, ${numberOf('m.hired_on')}) end, ${numberOf(leftOn('m', zone))}, m.manager_id, m.team_id,
    ${columnsOf('m', groupFields).join(', ')})`;

const peopleSql = `
  select ${person} as person
    from members m
   where m.workspace_id = $1
     and m.id > $2::bigint
   order by m.id
   limit $3::int`;

/** What an activity counts as: the numbers of activities.ts. */
const kind = `case when a.status = 'DECLINED' then 0
                  when a.status <> 'APPROVED' then case when a.is_private then 2 else 1 end
                  when a.type = 'GIFT' then 3
                  when a.is_private then 5 else 4 end`;

/**
 * One statement, so that people and activities are those of one moment. Records that were merged into a merged
 * record move along with it and have no events of their own.
 */
const changesSql = `
  with read_events as materialized (
    select number, type, data
      from events
     where workspace_id = $1
       and number > $2::bigint
     order by number
     limit $4::int
  ),
  noted as materialized (
    select type, (data ->> 'id')::bigint as id, (data ->> 'into')::bigint as into_id
      from read_events
     where type like 'member%' or type in ('shoutout.approved', 'shoutout.declined', 'shoutout.changed')
  ),
  touched as materialized (
    select id from noted where type like 'member.%'
     union
    select into_id from noted where type = 'member.merged'
  ),
  read_people as (
    select m.* from touched join members m on m.workspace_id = $1 and m.id = touched.id
     union all
    select m.* from touched join members m on m.workspace_id = $1 and m.merged_into = touched.id
  ),
  added as (
    select a.receiver_id, a.sender_id, ${dayOf('a.created_on')} as day, ${kind} as kind
      from activities a
     where a.workspace_id = $1
       and a.number > $3::bigint
       and a.number <= $3::bigint + $4::int
     order by a.number
  ),
  columns (receivers, senders, days, kinds) as (
    select ${['receiver_id', 'sender_id', 'day', 'kind'].map((one) => `coalesce(array_agg(${one})::text, '{}')`).join(', ')}
      from added
  )
  select ${stateColumns},
         (select case when count(*) < $4::int then coalesce(e.latest, 0) else max(number) end from read_events) as "readTo",
         columns.*,
         (select coalesce(json_agg(${person}), '[]') from read_people m) as people,
         exists (select from noted where type = 'members.imported') as "wasImported",
         exists (select from noted where type = 'members.import_undone') as "wasImportUndone",
         (select coalesce(json_agg(json_build_array(a.number, ${kind})), '[]')
            from noted
            ${joinById('noted.id')}
            join activities a on a.workspace_id = $1 and a.number = s.number
           where noted.type like 'shoutout.%') as decided
    from columns,
         ${stateTables}`;
