import { shownFirstName, shownLastName } from '../../company/directory/names.ts';
import { type RecordReader, readsPrivate } from '../../company/directory/readers.ts';
import { isReportOf } from '../../company/directory/reporting-line.ts';
import { recordsOf, survivorOf } from '../../company/directory/who.ts';
import { readMoments } from '../../company/workspaces/days.ts';
import type { Occurrence, OccurrencePage, OccurrenceQuery } from '../../ground/contract/occurrence.ts';
import { type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { pageFields } from '../../ground/values/page.ts';
import { shoutoutId } from '../recognition/shoutout-ids.ts';
import { incompleteStates } from './attention.ts';

const isWaiting = `exists (select from order_approvals waiting
                            where waiting.workspace_id = $1
                              and waiting.request_id = o.request_id
                              and waiting.state = 'WAITING')`;

const columns = `
  o.id, o.automation_id as "automationId", a.terms ->> 'name' as "automationName", m.id as "memberId",
  ${shownFirstName('m')} as "firstName", ${shownLastName('m')} as "lastName", o.for_day::text as "forDay", o.years,
  o.due_at as "dueAt", o.at, o.state, o.reason, o.detail, o.days_late as "daysLate", o.amount, o.currency, o.line,
  o.request_id as "requestId", ${isWaiting} as "isWaiting",
  (select ${shoutoutId('s.number', 's')} from shoutouts s
    where s.workspace_id = $1 and s.number = o.shoutout_number) as "shoutoutId"`;

/** Merges are followed: the person is the member whose record counts. */
const tables = `
  join automations a on a.workspace_id = $1 and a.id = o.automation_id
  join members named on named.workspace_id = $1 and named.id = o.member_id
  join members m     on m.workspace_id = $1 and m.id = ${survivorOf('named')}`;

interface Row extends Omit<Occurrence, 'dueAt' | 'at'> {
  dueAt: Date;
  at: Date;
}

function occurrenceOf({ dueAt, at, ...row }: Row): Occurrence {
  return { ...row, dueAt: dueAt.toISOString(), at: at.toISOString() };
}

type Filters = Omit<OccurrenceQuery, 'page' | 'size' | 'bom'>;

/**
 * Whose occurrences a caller reads. Managers see those of their reports about which they were asked, and who may not read birthdays sees none of a
 * birthday: they would tell days that a person keeps private.
 */
export interface OccurrenceReader {
  onlyReportsOf: number | null;
  readsBirthdays: boolean;
}

export function occurrenceReader({ onlyReportsOf, scopes }: RecordReader): OccurrenceReader {
  return { onlyReportsOf, readsBirthdays: readsPrivate(scopes) };
}

/** The people team and the service itself. */
export const readsAllOccurrences: OccurrenceReader = { onlyReportsOf: null, readsBirthdays: true };

function isReadable(workspaceId: string, onlyReportsOf: string, readsBirthdays: string): string {
  return `
  (${onlyReportsOf}::bigint is null or o.asked_member_id is not null)
  and ${isReportOf(`${workspaceId}::bigint`, onlyReportsOf, 'o.member_id')}
  and (${readsBirthdays}::boolean or ${onlyReportsOf} is not null
       or o.automation_id not in (select id from automations
                                   where workspace_id = ${workspaceId} and terms #>> '{trigger,is}' = 'BIRTHDAY'))`;
}

const fits = `
      o.workspace_id = $1
  and ($2::bigint is null or o.automation_id = $2)
  and ($3::bigint is null or o.member_id in (${recordsOf('$1', '$3')}))
  and ($4::text is null or o.state = $4)
  and ($5::boolean is null or (o.days_late > 0) = $5)
  and ($6::boolean is null or ${isWaiting} = $6)
  and ($7::boolean is null or (o.state in ${incompleteStates}) = $7)
  and o.due_at >= $8::timestamptz
  and o.due_at < $9::timestamptz
  and ${isReadable('$1', '$10', '$11')}`;

async function parametersOf(on: Queryable, workspaceId: number, filters: Filters, reader: OccurrenceReader) {
  const { automation = null, member = null, state = null, isLate = null } = filters;
  const { isWaiting: waits = null, isIncomplete = null } = filters;
  const { from, to } = await readMoments(on, workspaceId, filters);
  const { onlyReportsOf, readsBirthdays } = reader;
  return [workspaceId, automation, member, state, isLate, waits, isIncomplete, from, to, onlyReportsOf, readsBirthdays];
}

/** A page of what automations did, could not do or have begun, the latest first. */
export async function listOccurrences(
  on: Queryable,
  workspaceId: number,
  { page, size, bom, ...filters }: OccurrenceQuery,
  reader: OccurrenceReader,
): Promise<OccurrencePage> {
  const parameters = await parametersOf(on, workspaceId, filters, reader);
  const { total } = await queryOne<{ total: number }>(
    on,
    `select count(*) as total from occurrences o where ${fits}`,
    parameters,
    'once',
  );
  const rows = await on.query<Row>(
    `select ${columns}
       from occurrences o
       ${tables}
      where ${fits}
      order by o.due_at desc, o.id desc
     offset $12::bigint
      limit $13::bigint`,
    [...parameters, page * size, size],
    'once',
  );
  return { content: rows.map(occurrenceOf), ...pageFields({ page, size }, total) };
}

export const occurrenceCsvColumns = [
  'id',
  'automationId',
  'automationName',
  'memberId',
  'firstName',
  'lastName',
  'forDay',
  'years',
  'dueAt',
  'at',
  'state',
  'reason',
  'detail',
  'daysLate',
  'amount',
  'currency',
  'line',
  'requestId',
  'isWaiting',
  'shoutoutId',
] as const satisfies (keyof Occurrence)[];

const pieceSize = 500;

/** All occurrences that fit, the latest first. A piece begins where the one before ended. */
export async function* streamOccurrences(
  on: Queryable,
  workspaceId: number,
  filters: Filters,
  reader: OccurrenceReader,
): AsyncGenerator<Record<string, unknown>[]> {
  const parameters = await parametersOf(on, workspaceId, filters, reader);
  let place = { due: 'infinity', id: 0 };
  for (;;) {
    const rows = await on.query<Row & { due: string }>(
      `select ${columns}, o.due_at::text as due
         from occurrences o
         ${tables}
        where ${fits}
          and (o.due_at, o.id) < ($12::timestamptz, $13::bigint)
        order by o.due_at desc, o.id desc
        limit $14`,
      [...parameters, place.due, place.id, pieceSize],
      'once',
    );
    yield rows.map((row) => occurrenceOf(row) as unknown as Record<string, unknown>);
    const last = rows.at(-1);
    if (!last || rows.length < pieceSize) return;
    place = { due: last.due, id: last.id };
  }
}

export async function readOccurrence(
  on: Queryable,
  workspaceId: number,
  id: number,
  { onlyReportsOf, readsBirthdays }: OccurrenceReader = readsAllOccurrences,
): Promise<Occurrence> {
  const row = await queryOptional<Row>(
    on,
    `select ${columns} from occurrences o ${tables} where o.workspace_id = $1 and o.id = $2 and ${isReadable('$1', '$3', '$4')}`,
    [workspaceId, id, onlyReportsOf, readsBirthdays],
  );
  if (!row) throw new Failure('missing', 'There is no occurrence with this id in this workspace.');
  return occurrenceOf(row);
}
