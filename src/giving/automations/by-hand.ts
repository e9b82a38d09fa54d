import { isReportOf } from '../../company/directory/reporting-line.ts';
import { recordsOf } from '../../company/directory/who.ts';
import { audit } from '../../company/workspaces/audit.ts';
import { momentOf } from '../../company/workspaces/lock.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { Automation } from '../../ground/contract/automation.ts';
import type { OccurrenceChoice, OccurrenceState } from '../../ground/contract/occurrence.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure, invalid } from '../../ground/errors.ts';
import type { AuditAction } from '../../ground/values/audit-actions.ts';
import { dueAtOf } from './due-at.ts';
import { readScene } from './evaluate.ts';
import { readOccurrence } from './list.ts';
import { readReachable } from './look.ts';
import { readAutomation } from './manage.ts';
import { writeLine } from './managers.ts';
import { occasionsOf } from './occasions.ts';
import { cannotGoOut, giftOf, messageFor, type Reachable } from './occur.ts';
import { isSameOccasion } from './once.ts';
import { addOccurrences, type KnownRow, type NewOccurrence, readRowsOf } from './store.ts';
import { holidaysFor, sendDayOf } from './working-days.ts';

/*
 * What people do to one occurrence. The caller holds the workspace's lock in all of these. Nothing is paid twice by hand either: a row that stands for
 * the same occasion prevents it.
 */

/** Lets one occurrence go out now, before or after its day. Returns its id. */
export async function runNow(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  automationId: number,
  choice: OccurrenceChoice,
): Promise<number> {
  const { automation, person, planned } = await readChoice(tx, workspaceId, automationId, choice);
  if (automation.state === 'DRAFT')
    throw new Failure('conflict', 'The automation is a draft: turn it on, then let it run for a person.');
  if (cannotGoOut(automation, person, planned.message)?.reason === 'NO_ADDRESS')
    throw new Failure('conflict', 'The person has neither an email address nor an employee number: add one.');
  const now = Date.parse(momentOf(tx, workspaceId));
  const dueAt = Math.min(planned.dueAt, now);
  return write(tx, actor, workspaceId, automation, 'automation.run', { ...planned, dueAt, isByHand: true });
}

/** Leaves out one occurrence. Returns its id. */
export async function skipOccurrence(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  automationId: number,
  choice: OccurrenceChoice,
): Promise<number> {
  const { automation, planned } = await readChoice(tx, workspaceId, automationId, choice);
  const skipped = { ...planned, state: 'SKIPPED' as const, reason: 'BY_HAND' as const };
  return write(tx, actor, workspaceId, automation, 'automation.skipped', skipped);
}

/** Lets an occurrence that was skipped by hand go out after all, if its moment has not passed. */
export async function unskipOccurrence(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  automationId: number,
  { memberId, forDay }: OccurrenceChoice,
): Promise<void> {
  const { name } = await readAutomation(tx, workspaceId, automationId);
  const removed = await tx.query<{ id: number }>(
    `delete from occurrences
      where workspace_id = $1
        and automation_id = $2
        and member_id in (${recordsOf('$1', '$3')})
        and for_day = $4
        and state = 'SKIPPED'
        and reason = 'BY_HAND'
        and due_at > $5::timestamptz
     returning id`,
    [workspaceId, automationId, memberId, forDay, momentOf(tx, workspaceId)],
  );
  if (removed.length === 0)
    throw new Failure('conflict', 'It is not skipped by hand, or its moment has passed: let it run now instead.');
  const subject = { id: automationId, name };
  await audit(tx, { workspaceId, actor, action: 'automation.unskipped', subject, detail: { memberId, forDay } });
}

/** Writes what the manager adds to the message; null removes it, undefined leaves it. A manager does so for their reports alone. */
export async function setLine(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  occurrenceId: number,
  line: string | null | undefined,
  onlyReportsOf: number | null,
): Promise<void> {
  const before = await readOccurrence(tx, workspaceId, occurrenceId);
  const { automationId, automationName, memberId, forDay } = before;
  const seen = await queryOptional(
    tx,
    `select 1 as seen where ${isReportOf('$1::bigint', '$2::bigint', '$3::bigint')}`,
    [workspaceId, onlyReportsOf, memberId],
  );
  if (!seen) throw new Failure('missing', 'There is no occurrence with this id in this workspace.');
  if (line === undefined) return;
  if (!(await writeLine(tx, workspaceId, occurrenceId, line)))
    throw new Failure('conflict', 'It has gone out or is skipped: a line can be added only before.');
  if (before.line === line) return;
  const subject = { id: automationId, name: automationName };
  await audit(tx, { workspaceId, actor, action: 'automation.line_set', subject, detail: { memberId, forDay } });
}

/** Sends what could not go out, or the gift that was missing. */
export async function sendAnyway(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  occurrenceId: number,
): Promise<void> {
  const { automationId, automationName, memberId, forDay, state } = await readOccurrence(tx, workspaceId, occurrenceId);
  const sent = await tx.query(
    `update occurrences
        set state = 'DUE', reason = null, detail = null, is_by_hand = true, at = $3
      where workspace_id = $1
        and id = $2
        and state in ('NOT_DONE', 'MESSAGE_ONLY')
     returning id`,
    [workspaceId, occurrenceId, momentOf(tx, workspaceId)],
  );
  if (sent.length === 0) throw alreadyIs(state);
  const subject = { id: automationId, name: automationName };
  await audit(tx, { workspaceId, actor, action: 'automation.sent_by_hand', subject, detail: { memberId, forDay } });
}

function alreadyIs(state: OccurrenceState): Failure {
  const what = {
    ASKED: 'It waits for its day',
    DUE: 'It goes out now',
    SENDING: 'It goes out now',
    SENT: 'It has gone out',
    MESSAGE_ONLY: 'Its message has gone out',
    SKIPPED: 'It was skipped',
    NOT_DONE: 'It could not go out',
  };
  return new Failure('conflict', `${what[state]}: look at the list of what the automation did.`);
}

interface Choice {
  automation: Automation;
  person: Reachable;
  planned: NewOccurrence;
}

/** The occurrence of the plan that a person has chosen. It must not stand for an occasion that another row stands for. */
async function readChoice(
  tx: Queryable,
  workspaceId: number,
  automationId: number,
  { memberId, forDay }: OccurrenceChoice,
): Promise<Choice> {
  const automation = await readAutomation(tx, workspaceId, automationId);
  const [person] = await readReachable(tx, workspaceId, [memberId]);
  if (!person) throw invalid([{ path: 'memberId', problem: 'is no person of this workspace' }]);
  const [occasion] = occasionsOf(automation, person, forDay, forDay);
  if (!occasion)
    throw invalid([{ path: 'forDay', problem: 'is no day of this person, as the plan of the automation has it' }]);
  const rows = (await readRowsOf(tx, workspaceId, automationId, [person.id])).get(person.id) ?? [];
  const same = rows.find((row) => isSameOccasion(automation.trigger, row, occasion));
  if (same) throw alreadyIs(same.state);
  const scene = await readScene(tx, workspaceId);
  const isHoliday = await holidaysFor([automation.onDayOff]);
  const sendDay = sendDayOf(forDay, automation.onDayOff, person.country, isHoliday);
  const { years } = occasion;
  const planned: NewOccurrence = {
    ...{ memberId: recordAsked(rows, forDay) ?? person.id, forDay, years, state: 'DUE', reason: null, detail: null },
    dueAt: dueAtOf(sendDay, automation.hour, person.timeZone ?? scene.timeZone),
    daysLate: 0,
    ...giftOf(automation, years),
    ...messageFor(automation, person, years, scene),
    askedMemberId: null,
    isByHand: false,
  };
  return { automation, person, planned };
}

/** The record with which a manager was asked: its row changes, and keeps its line. */
function recordAsked(rows: readonly KnownRow[], forDay: string): number | undefined {
  return rows.find((row) => row.forDay === forDay && row.state === 'ASKED')?.recordId;
}

async function write(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  { id, name }: Automation,
  action: AuditAction,
  planned: NewOccurrence,
): Promise<number> {
  const [stored] = await addOccurrences(tx, workspaceId, id, momentOf(tx, workspaceId), [planned]);
  if (!stored) throw alreadyIs('SENT');
  const { memberId, forDay } = planned;
  await audit(tx, { workspaceId, actor, action, subject: { id, name }, detail: { memberId, forDay } });
  return stored.id;
}
