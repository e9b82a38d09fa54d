import { isReportOf, readReports } from '../../../company/directory/reporting-line.ts';
import { findPeople, hasWords, wordsOf } from '../../../company/directory/search.ts';
import { recordsOf, survivorOf } from '../../../company/directory/who.ts';
import { readSpan } from '../../../company/workspaces/span.ts';
import type { GiftPage, GiftQuery } from '../../../ground/contract/gift.ts';
import type { GiftTotalsQuery } from '../../../ground/contract/gift-totals.ts';
import { type Queryable, queryOne, queryOptional } from '../../../ground/database/database.ts';
import { invalid } from '../../../ground/errors.ts';
import { type GiftKey, stateAt } from '../../gifts/gift.ts';
import { deliveryOfMail, giftMail, readGiftRecords } from './records.ts';

export interface GiftFilters extends GiftTotalsQuery {
  /** The manager whose reports' gifts are listed; absent or null: the gifts of all people. */
  onlyReportsOf?: number | null;
}

/** What a page of gifts is asked with. */
export interface GiftPageQuery extends GiftFilters, Pick<GiftQuery, 'size' | 'after'> {}

/**
 * No index fits every combination of filters, so a page reads at most this many keys from the index that fits best, in about 50 ms.
 * `next` continues after them.
 */
const mostExamined = 10_000;

/**
 * Lists the gifts of a workspace, newest first: by the order's id, which begins with its time, then by the position in the order, both
 * downwards. The time that a page takes depends on how many keys it reads, not on how many gifts there are. The gifts of the page are read
 * on `lookUps`: to plan their many joins each time takes longer than to read them.
 */
export async function listGifts(
  on: Queryable,
  workspaceId: number,
  query: GiftPageQuery,
  { examined = mostExamined, lookUps = on }: { examined?: number; lookUps?: Queryable } = {},
): Promise<GiftPage> {
  const { ids, next } = await findGiftIds(on, workspaceId, query, examined);
  return { gifts: await readGiftRecords(lookUps, workspaceId, ids), next };
}

/** The ids of a page of `listGifts`, and where the next one begins. */
export async function findGiftIds(
  on: Queryable,
  workspaceId: number,
  query: GiftPageQuery,
  examined = mostExamined,
): Promise<{ ids: number[]; next: number | null }> {
  const range = { examined, ...(await readRange(on, workspaceId, query, query.after)) };
  const found = await readFound(on, query, range);
  const ids = found.slice(0, query.size);
  const next = found.length > query.size ? (ids.at(-1) as number) : await readLastExamined(on, query, range);
  return { ids, next };
}

/** The ids of the gifts on the page, and of one more if there is one among those examined. */
async function readFound(on: Queryable, query: GiftPageQuery, range: Range): Promise<number[]> {
  const values: unknown[] = [];
  const bind: Bind = (value, type) => `$${values.push(value)}::${type}`;
  const conditions = conditionsOf(query, range, bind);
  // The keys are looked up one by one, so that the search ends with the last gift of the page.
  const sql = `
    select c.id
      from (${keysSql(query, range, bind, `limit ${range.examined}`)}) key
     ${giftOfKey(range, bind)}
     ${giftMail(bind(range.workspaceId, 'bigint'))}
     where ${['true', ...conditions].join(' and ')}
     order by key.request_id desc, key.position desc
     limit ${query.size + 1}`;
  const rows = await on.query<{ id: number }>(sql, values, 'once');
  return rows.map(({ id }) => id);
}

/** The last gift that was examined, if there may be more behind it. */
async function readLastExamined(on: Queryable, query: GiftFilters, range: Range): Promise<number | null> {
  const values: unknown[] = [];
  const bind: Bind = (value, type) => `$${values.push(value)}::${type}`;
  const last = await on.query<{ requestId: string; position: number }>(
    `select request_id as "requestId", position
       from (${keysSql(query, range, bind, `limit 1 offset ${range.examined - 1}`)}) key`,
    values,
    'once',
  );
  return last[0] ? idOf(on, range.workspaceId, last[0]) : null;
}

async function idOf(on: Queryable, workspaceId: number, { requestId, position }: GiftKey): Promise<number> {
  const { id } = await queryOne<{ id: number }>(
    on,
    'select id from certificates where workspace_id = $1 and request_id = $2 and position = $3',
    [workspaceId, requestId, position],
  );
  return id;
}

/** Where a search begins and ends, in the sequence of keys. */
export interface Range {
  workspaceId: number;
  /** How many keys are read at most. */
  examined: number;
  /** The workspace's time, as text. */
  moment: string;
  /** The key before the first one: of the last gift on the page before. */
  before: readonly [requestId: string, position: number];
  first: string;
  /** The records of the people who were asked for, if they are few. */
  members: readonly number[] | null;
  /** Words that have to occur in what the directory has of the recipient, beside `members`. */
  words: readonly string[];
  /** The manager above the recipient, if that is to be checked gift by gift. */
  manager: number | null;
}

/** A search that finds more people is answered by looking at gifts one by one: many of them belong to one of these people. */
const mostPeople = 500;

export async function readRange(
  on: Queryable,
  workspaceId: number,
  query: GiftFilters,
  last?: number,
): Promise<Omit<Range, 'examined'>> {
  const { moment, first, end } = await readSpan(on, workspaceId, query);
  const after = last === undefined ? null : await readKey(on, workspaceId, last);
  return {
    workspaceId,
    moment,
    before: after && after[0] < end ? after : [end, -1],
    first,
    ...(await readPeople(on, workspaceId, query)),
  };
}

async function readPeople(
  on: Queryable,
  workspaceId: number,
  { member, search, onlyReportsOf = null }: GiftFilters,
): Promise<Pick<Range, 'members' | 'words' | 'manager'>> {
  const words = wordsOf(search);
  const asked = member === undefined ? null : await readMembers(on, workspaceId, member);
  const found = words.length > 0 ? await findPeople(on, workspaceId, words, mostPeople) : null;
  const reports = onlyReportsOf === null ? null : await readReports(on, workspaceId, onlyReportsOf, mostPeople);
  const sets = [asked, found, reports].filter((ids) => ids !== null);
  const members = sets.reduce<number[] | null>(
    (all, ids) => (all === null ? ids : all.filter((id) => ids.includes(id))),
    null,
  );
  return { members, words: found === null ? words : [], manager: reports === null ? onlyReportsOf : null };
}

async function readKey(on: Queryable, workspaceId: number, id: number): Promise<[string, number]> {
  const key = await queryOptional<{ requestId: string; position: number }>(
    on,
    'select request_id as "requestId", position from certificates where workspace_id = $1 and id = $2',
    [workspaceId, id],
  );
  if (!key) throw invalid([{ path: 'after', problem: 'is no gift of this workspace: send the `next` of a page' }]);
  return [key.requestId, key.position];
}

async function readMembers(on: Queryable, workspaceId: number, id: number): Promise<number[]> {
  const rows = await on.query<{ id: number }>(recordsOf('$1', '$2'), [workspaceId, id]);
  return rows.map((row) => row.id);
}

export type Bind = (value: unknown, type: string) => string;

/**
 * The keys that a page may have, from an index that leaves little to search: newest first. An email has the edition that it was made
 * for, so emails of earlier editions find no gift.
 */
export function keysSql(query: GiftFilters, range: Range, bind: Bind, slice: string): string {
  const keys = `workspace_id = ${bind(range.workspaceId, 'bigint')}
                and (request_id, position) < (${bind(range.before[0], 'uuid')}, ${bind(range.before[1], 'int')})
                and request_id >= ${bind(range.first, 'uuid')}`;
  return `
    select request_id, position, edition
      from (${sourceSql(query, range, bind, keys)}) source
     order by request_id desc, position desc
     ${slice}`;
}

function sourceSql(query: GiftFilters, range: Range, bind: Bind, keys: string): string {
  const { state, delivery, requestId, expiresBefore } = query;
  const from = (table: string, condition: string) =>
    `select request_id, position, edition from ${table} where ${keys} and ${condition}`;
  if (requestId !== undefined) return from('certificates', `request_id = ${bind(requestId, 'uuid')}`);
  if (range.members) return from('certificates', `member_id = any(${bind(range.members, 'bigint[]')})`);
  if (state === 'ISSUED' && expiresBefore && isSoon(expiresBefore))
    return unclaimedSql(
      `expires_at > ${bind(range.moment, 'timestamptz')} and expires_at <= ${bind(expiresBefore, 'timestamptz')}`,
      range,
      bind,
      keys,
    );
  if (isRare(delivery)) return latestMails(keys, `kind = 'GIFT' and state = '${delivery}'`);
  if (state === undefined || state === 'ISSUED') return from('certificates', 'true');
  const written = from('certificates', `state = '${state}'`);
  if (state !== 'EXPIRED') return written;
  // Overdue gifts are EXPIRED before that is written down. There are few: it is written down within a minute.
  return `${written} union all ${unclaimedSql(`expires_at <= ${bind(range.moment, 'timestamptz')}`, range, bind, keys)}`;
}

/** A gift that was issued again has an email for each edition. It counts once, or a page could end between them. */
function latestMails(keys: string, condition: string): string {
  return `
    select request_id, position, max(edition) as edition
      from mails
     where ${keys} and ${condition}
     group by request_id, position`;
}

/** The emails in these states have an index of their own. */
function isRare(delivery: GiftFilters['delivery']): boolean {
  return delivery !== undefined && ['SCHEDULED', 'DEFERRED', 'FAILED', 'NO_ADDRESS'].includes(delivery);
}

const dayMs = 86_400_000;
const soonDays = 31;

/** Gifts that expire later are many, so that the newest of them are found sooner by their keys. */
function isSoon(moment: string): boolean {
  return Date.parse(moment) < Date.now() + soonDays * dayMs;
}

/** Unclaimed gifts by their expiry, from the index of those. They may have been ordered long ago. */
function unclaimedSql(expiry: string, { workspaceId }: Range, bind: Bind, keys: string): string {
  return `
    select request_id, position, edition
      from (select workspace_id, request_id, position, edition
              from certificates
             where workspace_id = ${bind(workspaceId, 'bigint')}
               and state = 'ISSUED'
               and ${expiry}
            offset 0) unclaimed
     where ${keys}`;
}

/** The gift behind a key: `certificates c`. */
export function giftOfKey({ workspaceId }: Range, bind: Bind): string {
  return `
    cross join lateral (
          select *
            from certificates
           where workspace_id = ${bind(workspaceId, 'bigint')}
             and request_id = key.request_id
             and position = key.position
             and edition = key.edition
          offset 0) c`;
}

/** What is asked of the gift behind a key, `certificates c` with its email. */
export function conditionsOf(query: GiftFilters, range: Range, bind: Bind): string[] {
  const { state, delivery, requestId, expiresBefore } = query;
  return [
    expiresBefore && `c.expires_at <= ${bind(expiresBefore, 'timestamptz')}`,
    state && `${stateAt('c', bind(range.moment, 'timestamptz'))} = '${state}'`,
    delivery && `${deliveryOfMail} = '${delivery}'`,
    requestId && range.members && `c.member_id = any(${bind(range.members, 'bigint[]')})`,
    range.words.length > 0 && recipientHas(range.words, bind(range.workspaceId, 'bigint'), bind),
    range.manager !== null &&
      isReportOf(bind(range.workspaceId, 'bigint'), bind(range.manager, 'bigint'), 'c.member_id'),
  ].filter((condition) => typeof condition === 'string');
}

function recipientHas(words: readonly string[], workspaceId: string, bind: Bind): string {
  return `exists (
            select from members named
              join member_texts t on t.workspace_id = ${workspaceId} and t.member_id = ${survivorOf('named')}
             where named.workspace_id = ${workspaceId}
               and named.id = c.member_id
               and ${hasWords(words, (value) => bind(value, Array.isArray(value) ? 'text[]' : 'text'))})`;
}
