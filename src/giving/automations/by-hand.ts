import { recordsOf } from '../../company/directory/who.ts';
import { audit } from '../../company/workspaces/audit.ts';
import { momentOf } from '../../company/workspaces/lock.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { Automation, AutomationTerms } from '../../ground/contract/automation.ts';
import type { Occurrence, OccurrenceChoice, OccurrenceState } from '../../ground/contract/occurrence.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { Failure, invalid } from '../../ground/errors.ts';
import type { AuditAction } from '../../ground/values/audit-actions.ts';
import { askerOf } from './askers.ts';
import { dueAtOf } from './due-at.ts';
import { readScene } from './evaluate.ts';
import { type OccurrenceReader, readOccurrence } from './list.ts';
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
  return write(tx, actor, workspaceId, automation, 'automation.run', {
    ...planned,
    dueAt,
    isByHand: true,
    requestedBy: askerOf(actor),
  });
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
  const [removed] = await tx.query<{ id: number }>(
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
  if (!removed)
    throw new Failure(
      'conflict',
      'It is not skipped by hand, or its moment has passed: send it from the list of what the automation did.',
    );
  const subject = { id: automationId, name };
  const detail = { memberId, occurrenceId: removed.id };
  await audit(tx, { workspaceId, actor, action: 'automation.unskipped', subject, detail });
}

/** Writes what the manager adds to the message; null removes it, undefined leaves it. A manager does so for their reports alone. */
export async function setLine(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  occurrenceId: number,
  line: string | null | undefined,
  reader: OccurrenceReader,
): Promise<void> {
  const before = await readOccurrence(tx, workspaceId, occurrenceId, reader);
  if (line === undefined) return;
  if (!(await writeLine(tx, workspaceId, occurrenceId, line)))
    throw new Failure('conflict', 'It has gone out or is skipped: a line can be added only before.');
  if (before.line !== line) await auditOf(tx, actor, workspaceId, 'automation.line_set', before);
}

/**
 * Sends what could not go out or was skipped, or the gift that was missing. It is not sent if another row of the person stands for the same occasion and
 * was sent: two records may have been merged since, or a date corrected.
 */
export async function sendAnyway(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  occurrenceId: number,
): Promise<void> {
  const before = await readOccurrence(tx, workspaceId, occurrenceId);
  const { automationId, memberId } = before;
  if (!canBeSent(before)) throw alreadyIs(before.state);
  const { terms } = await queryOne<{ terms: AutomationTerms }>(
    tx,
    'select terms from automations where workspace_id = $1 and id = $2',
    [workspaceId, automationId],
  );
  const rows = (await readRowsOf(tx, workspaceId, automationId, [memberId])).get(memberId) ?? [];
  const sent = rows.find(
    (row) => row.id !== occurrenceId && sentStates.includes(row.state) && isSameOccasion(terms.trigger, row, before),
  );
  if (sent) throw alreadyIs(sent.state);
  const [person] = await readReachable(tx, workspaceId, [memberId]);
  const text = person && messageFor(terms, person, before.years, await readScene(tx, workspaceId));
  await tx.query(
    `update occurrences
        set state = 'DUE', reason = null, detail = null, is_by_hand = true, requested_by = $6, at = $3,
            language = case when coalesce(message, '') = '' then $4 else language end,
            message = coalesce(nullif(message, ''), $5)
      where workspace_id = $1
        and id = $2`,
    [
      workspaceId,
      occurrenceId,
      momentOf(tx, workspaceId),
      text?.language ?? null,
      text?.message ?? null,
      askerOf(actor),
    ],
  );
  await auditOf(tx, actor, workspaceId, 'automation.sent_by_hand', before);
}

/** What prevents that another day of the same occasion is sent by hand. Of a message that went out without its gift, the gift is still missing. */
const sentStates: readonly OccurrenceState[] = ['DUE', 'SENDING', 'SENT'];

function canBeSent({ state, reason }: Occurrence): boolean {
  return state === 'NOT_DONE' || state === 'MESSAGE_ONLY' || (state === 'SKIPPED' && reason !== 'ALREADY_DONE');
}

/** The audit log has no birthdays: it names the occurrence. */
function auditOf(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  action: AuditAction,
  { id: occurrenceId, automationId, automationName, memberId }: Occurrence,
): Promise<void> {
  const subject = { id: automationId, name: automationName };
  return audit(tx, { workspaceId, actor, action, subject, detail: { memberId, occurrenceId } });
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
  const detail = { memberId: planned.memberId, occurrenceId: stored.id };
  await audit(tx, { workspaceId, actor, action, subject: { id, name }, detail });
  return stored.id;
}
