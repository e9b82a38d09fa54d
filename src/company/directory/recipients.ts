import type { Queryable } from '../../ground/database/database.ts';
import { appendMemberEvents } from './events.ts';
import {
  findPerson,
  type KnownPeople,
  knowNobody,
  type LineAhead,
  type NamedPerson,
  type RecipientPerson,
  takeIn,
} from './recipient-rules.ts';
import { addMembers, updateMembers } from './save.ts';
import { addressKey, hasLeft, hasNumber, memberByAddress, survivorOf } from './who.ts';

/**
 * A select of recipients of the workspace $1, with its parameters. Its columns: email, employee_number, first_name and last_name
 * (empty if missing), request (the same for all lines of one order, growing in the sequence of acceptance) and sent (numbers
 * all lines in that sequence).
 */
export interface Recipients {
  sql: string;
  values: readonly unknown[];
}

/** A line with the members that the directory has for it: by its email address, and by its employee number. */
export interface RecipientLine extends NamedPerson {
  byEmail: FoundPerson | null;
  byEmployeeNumber: FoundPerson | null;
}

interface FoundPerson {
  id: number;
  employeeNumber: string | null;
  firstName: string;
  lastName: string;
  hasLeft: boolean;
}

/**
 * The member of each recipient, in the order of `sent`. Unknown recipients are added. All are of one workspace, whose lock the
 * caller holds.
 *
 * Most recipients are known, and their lines say nothing new: the first statement is enough for them. The others are processed
 * one request after the other.
 */
export async function resolveRecipients(
  tx: Queryable,
  workspaceId: number,
  { sql, values }: Recipients,
): Promise<number[]> {
  const rows = await tx.query<Row>(resolveSql(sql), values);
  const open = rows.filter((row): row is OpenRow => row.line !== null);
  const known = knowNobody();
  for (const { line } of open) learn(known, line);
  const people = new Map<Row, RecipientPerson>();
  for (const request of Map.groupBy(open, (row) => row.request).values())
    for (const [nth, person] of takeIn(
      known,
      request.map(({ line }) => line),
    ).entries())
      people.set(request[nth] as OpenRow, person);
  await savePeople(tx, workspaceId, people.values());
  return rows.map((row) => row.memberId ?? (people.get(row)?.id as number));
}

interface Row {
  request: number;
  memberId: number | null;
  /** Null if the member is certain and the line says nothing new. */
  line: RecipientLine | null;
}

type OpenRow = Row & { line: RecipientLine };

/** A person as an order or a shoutout names them. */
interface Named {
  email?: string | null;
  employeeNumber?: string | null;
  firstName?: string | null;
  lastName?: string | null;
}

/** Looks these people up in the directory. Same order. */
export async function readRecipientLines(
  tx: Queryable,
  workspaceId: number,
  named: readonly Named[],
): Promise<RecipientLine[]> {
  if (named.length === 0) return [];
  const rows = await tx.query<{ line: RecipientLine }>(linesSql, [
    workspaceId,
    named.map(({ email }) => email ?? null),
    named.map(({ employeeNumber }) => employeeNumber ?? null),
    named.map(({ firstName }) => firstName ?? ''),
    named.map(({ lastName }) => lastName ?? ''),
  ]);
  return rows.map(({ line }) => line);
}

/** Reads the lines about these people in orders that are accepted and not fulfilled yet. */
export type ReadAhead = (tx: Queryable, workspaceId: number, people: readonly NamedPerson[]) => Promise<LineAhead[]>;

/** The people whom these lines may identify, as if the orders that wait were fulfilled. */
export async function knowPeople(
  tx: Queryable,
  workspaceId: number,
  lines: readonly RecipientLine[],
  readAhead: ReadAhead,
): Promise<KnownPeople> {
  const known = knowNobody();
  for (const line of lines) learn(known, line);
  const open = lines.filter((line) => isOpen(known, line));
  if (open.length > 0) await takeInAhead(tx, workspaceId, known, await readAhead(tx, workspaceId, open));
  return known;
}

/** Whether an earlier order that is not fulfilled yet could change whom this line identifies, or what it adds. */
function isOpen(known: KnownPeople, line: NamedPerson): boolean {
  const person = findPerson(known, line);
  if (!person) return true;
  if (line.employeeNumber !== null && !known.byEmployeeNumber.has(line.employeeNumber)) return true;
  return (person.firstName === '' && line.firstName !== '') || (person.lastName === '' && line.lastName !== '');
}

/** Adds a line's members to `known`. A member is one person, even if several addresses or numbers identify them. */
function learn(known: KnownPeople, { emailKey, employeeNumber, byEmail, byEmployeeNumber }: RecipientLine): void {
  if (emailKey !== null && byEmail) known.byEmail.set(emailKey, personOf(known, byEmail));
  if (employeeNumber !== null && byEmployeeNumber)
    known.byEmployeeNumber.set(employeeNumber, personOf(known, byEmployeeNumber));
}

/** Adds to `known` what orders that wait for fulfilment say about people. Writes nothing. */
export async function takeInAhead(
  tx: Queryable,
  workspaceId: number,
  known: KnownPeople,
  ahead: readonly LineAhead[],
): Promise<void> {
  for (const line of await readRecipientLines(tx, workspaceId, ahead)) learn(known, line);
  for (const lines of Map.groupBy(ahead, ({ request }) => request).values()) {
    takeIn(known, lines);
    for (const { emailKey, employeeNumber } of lines)
      if (emailKey === null && employeeNumber !== null && !known.byEmployeeNumber.has(employeeNumber))
        known.awaitedNumbers.add(employeeNumber);
  }
}

function personOf(known: KnownPeople, found: FoundPerson): RecipientPerson {
  const person = known.byId.get(found.id) ?? { ...found, email: null, isChanged: false };
  known.byId.set(found.id, person);
  return person;
}

/**
 * Adds new people, sets their ids, and saves what is new about the others. Their events come before those of the orders and
 * shoutouts that name them.
 */
export async function savePeople(tx: Queryable, workspaceId: number, people: Iterable<RecipientPerson>): Promise<void> {
  const changed = [...new Set(people)].filter(({ isChanged }) => isChanged);
  const added = changed.filter(({ id }) => id === null);
  const changes = changed.flatMap(({ id, employeeNumber, firstName, lastName }) =>
    id === null ? [] : [{ id, employeeNumber, firstName, lastName }],
  );
  if (added.length > 0) {
    const fields = added.map(({ email, employeeNumber, firstName, lastName }) => ({
      email,
      employeeNumber,
      firstName,
      lastName,
    }));
    const ids = await addMembers(tx, workspaceId, fields);
    for (const [nth, person] of added.entries()) person.id = ids[nth] as number;
  }
  if (changes.length > 0) await updateMembers(tx, workspaceId, changes);
  await appendMemberEvents(tx, workspaceId);
}

/** The member that an address or a number of a line `n` identifies, as a lateral subquery that looks it up by key. */
const memberBy = (condition: string) => `lateral (
         select survivor.id, survivor.employee_number, survivor.first_name, survivor.last_name, survivor.left_at
           from members m
           join members survivor on survivor.workspace_id = $1::bigint and survivor.id = ${survivorOf('m')}
          where m.workspace_id = $1::bigint
            and ${condition}
          limit 1)`;

const person = (alias: string) => `
           case when ${alias}.id is not null
                then json_build_object('id', ${alias}.id, 'employeeNumber', ${alias}.employee_number,
                                       'firstName', ${alias}.first_name, 'lastName', ${alias}.last_name,
                                       'hasLeft', ${hasLeft(alias)}) end`;

const line = `
         json_build_object('email', n.email, 'emailKey', ${addressKey('n.email')}, 'employeeNumber', n.employee_number,
                           'firstName', n.first_name, 'lastName', n.last_name,
                           'byEmail', ${person('by_email')},
                           'byEmployeeNumber', ${person('by_number')})`;

const memberJoins = `
    left join ${memberBy(`m.id = ${memberByAddress('$1::bigint', 'n.email')}`)} by_email on true
    left join ${memberBy(hasNumber('m', 'n.employee_number'))} by_number on true`;

const resolveSql = (recipients: string) => `
  select n.request,
         case when not is_open then found.id end as "memberId",
         case when is_open then ${line} end as line
    from (${recipients}) n
    ${memberJoins}
   cross join lateral (select case when n.email is null then by_number.id else by_email.id end,
                              case when n.email is null then by_number.first_name else by_email.first_name end,
                              case when n.email is null then by_number.last_name else by_email.last_name end)
              as found (id, first_name, last_name)
   cross join lateral (select found.id is null
                              or (n.employee_number is not null and by_number.id is null)
                              or (found.first_name = '' and n.first_name <> '')
                              or (found.last_name = '' and n.last_name <> '')) as open (is_open)
   order by n.sent`;

const linesSql = `
  select ${line} as line
    from (select $1::bigint as workspace_id, *
            from unnest($2::text[], $3::text[], $4::text[], $5::text[]) with ordinality
                   as named (email, employee_number, first_name, last_name, nth)) n
    ${memberJoins}
   order by n.nth`;
