import { audit } from '../../company/workspaces/audit.ts';
import { readToday } from '../../company/workspaces/days.ts';
import { momentOf } from '../../company/workspaces/lock.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type {
  Automation,
  AutomationChange,
  AutomationList,
  AutomationTerms,
  NewAutomation,
} from '../../ground/contract/automation.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { takeIds } from '../../ground/database/ids.ts';
import { Failure, invalid } from '../../ground/errors.ts';
import { differences } from '../../ground/values/differences.ts';
import { noteAsker } from './askers.ts';
import { checkTerms } from './references.ts';
import { completeTerms, whyNotOn } from './terms.ts';

const mostAutomations = 50;

interface Row extends Pick<Automation, 'id' | 'state' | 'pauseNote' | 'pausedBy'> {
  terms: AutomationTerms;
  onSince: Date | null;
}

const columns = 'id, state, terms, on_since as "onSince", pause_note as "pauseNote", paused_by as "pausedBy"';

function automationOf({ id, terms, state, onSince, pauseNote, pausedBy }: Row): Automation {
  return { id, ...terms, state, onSince: onSince?.toISOString() ?? null, pauseNote, pausedBy };
}

export function termsOf(automation: Automation): AutomationTerms {
  const { id, state, onSince, pauseNote, pausedBy, ...terms } = automation;
  return terms;
}

/** All automations of a workspace, by name, and whether all of them are paused. */
export async function listAutomations(on: Queryable, workspaceId: number): Promise<AutomationList> {
  const rows = await on.query<Row>(
    `select ${columns} from automations where workspace_id = $1 and deleted_at is null order by lower(terms ->> 'name'), id`,
    [workspaceId],
  );
  const turns = await queryOptional<{ isPaused: boolean }>(
    on,
    'select is_paused as "isPaused" from automation_turns where workspace_id = $1',
    [workspaceId],
  );
  return { automations: rows.map(automationOf), isPaused: turns?.isPaused ?? false };
}

export async function readAutomation(on: Queryable, workspaceId: number, id: number): Promise<Automation> {
  const row = await queryOptional<Row>(
    on,
    `select ${columns} from automations where workspace_id = $1 and id = $2 and deleted_at is null`,
    [workspaceId, id],
  );
  if (!row) throw new Failure('missing', `There is no automation ${id} in this workspace.`);
  return automationOf(row);
}

/** Adds an automation as a draft. The caller holds the workspace's lock, here and below. */
export async function addAutomation(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  added: NewAutomation,
): Promise<Automation> {
  const { automations } = await listAutomations(tx, workspaceId);
  if (automations.length >= mostAutomations)
    throw new Failure(
      'conflict',
      `A workspace can have ${mostAutomations} automations: delete one that you do not need.`,
    );
  const terms = completeTerms(added);
  await checkTerms(tx, workspaceId, terms);
  // Orders name their caller by one number, so that automations, users and tokens share a sequence.
  const [id] = (await takeIds(tx, 'api_tokens', 1)) as [number];
  await tx.query(`insert into automations (workspace_id, id, state, terms) values ($1, $2, 'DRAFT', $3)`, [
    workspaceId,
    id,
    JSON.stringify(terms),
  ]);
  await noteAsker(tx, actor, workspaceId, id);
  await audit(tx, { workspaceId, actor, action: 'automation.added', subject: { id, name: terms.name }, detail: added });
  return readAutomation(tx, workspaceId, id);
}

/** Changes an automation, turns it on, pauses it or lets it continue. What it did before stays as it is; the days of a pause are left out. */
export async function changeAutomation(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: number,
  { state, pauseNote, ...changed }: AutomationChange,
): Promise<Automation> {
  const before = await readAutomation(tx, workspaceId, id);
  const terms = await changeTerms(tx, actor, workspaceId, before, changed);
  if (pauseNote !== undefined && (state ?? before.state) !== 'PAUSED')
    throw invalid([{ path: 'pauseNote', problem: 'must be left out, because the automation is not paused' }]);
  if (state === 'ON' && before.state !== 'ON') await turnOn(tx, actor, workspaceId, before, terms);
  else if ((state ?? before.state) === 'PAUSED') await pause(tx, actor, workspaceId, before, terms, pauseNote);
  else if (before.state === 'ON') await checkObstacles(tx, workspaceId, terms);
  return readAutomation(tx, workspaceId, id);
}

async function changeTerms(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  before: Automation,
  changed: Partial<AutomationTerms>,
): Promise<AutomationTerms> {
  const current = termsOf(before);
  // Without fields that are undefined, which stay as they are.
  const given: Partial<AutomationTerms> = JSON.parse(JSON.stringify(changed));
  const terms = { ...current, ...given };
  if (differences(current, terms).length === 0) return current;
  await checkTerms(tx, workspaceId, terms);
  await tx.query('update automations set terms = $3 where workspace_id = $1 and id = $2', [
    workspaceId,
    before.id,
    JSON.stringify(terms),
  ]);
  await lookSoon(tx, workspaceId);
  await noteAsker(tx, actor, workspaceId, before.id);
  const subject = { id: before.id, name: terms.name };
  await audit(tx, { workspaceId, actor, action: 'automation.changed', subject, detail: given });
  return terms;
}

async function turnOn(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  { id, state, name }: Automation,
  terms: AutomationTerms,
): Promise<void> {
  await checkTerms(tx, workspaceId, terms);
  await checkObstacles(tx, workspaceId, terms);
  await tx.query(
    `update automations
        set state = 'ON', on_since = $3::timestamptz, pause_note = null, paused_by = null
      where workspace_id = $1 and id = $2`,
    [workspaceId, id, momentOf(tx, workspaceId)],
  );
  await lookSoon(tx, workspaceId);
  await noteAsker(tx, actor, workspaceId, id);
  const action = state === 'DRAFT' ? 'automation.turned_on' : 'automation.resumed';
  await audit(tx, { workspaceId, actor, action, subject: { id, name } });
}

async function checkObstacles(tx: Queryable, workspaceId: number, terms: AutomationTerms): Promise<void> {
  const obstacle = whyNotOn(terms, await readToday(tx, workspaceId));
  if (obstacle) throw new Failure('conflict', `The automation "${terms.name}" cannot be on. ${obstacle}`);
}

async function pause(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  before: Automation,
  { name }: AutomationTerms,
  pauseNote = before.pauseNote,
): Promise<void> {
  const { id, state } = before;
  if (state === 'DRAFT') throw new Failure('conflict', `The automation "${name}" is a draft: it does nothing yet.`);
  if (state === 'PAUSED' && pauseNote === before.pauseNote) return;
  await tx.query(
    `update automations set state = 'PAUSED', pause_note = $3, paused_by = $4 where workspace_id = $1 and id = $2`,
    [workspaceId, id, pauseNote, actor.name],
  );
  await audit(tx, {
    workspaceId,
    actor,
    action: 'automation.paused',
    subject: { id, name },
    detail: { note: pauseNote },
  });
}

/** What it did stays in the list. What it was about to do is not done. */
export async function deleteAutomation(tx: Queryable, actor: Actor, workspaceId: number, id: number): Promise<void> {
  const { name } = await readAutomation(tx, workspaceId, id);
  await tx.query(`update automations set deleted_at = $3::timestamptz where workspace_id = $1 and id = $2`, [
    workspaceId,
    id,
    momentOf(tx, workspaceId),
  ]);
  await tx.query(`delete from occurrences where workspace_id = $1 and automation_id = $2 and state = 'ASKED'`, [
    workspaceId,
    id,
  ]);
  await tx.query(stoppedSql, [workspaceId, id, momentOf(tx, workspaceId)]);
  await audit(tx, { workspaceId, actor, action: 'automation.deleted', subject: { id, name } });
}

// What people let go out by hand goes out.
const stoppedSql = `
  update occurrences
     set state = 'SKIPPED', reason = 'BY_HAND', at = $3::timestamptz
   where workspace_id = $1
     and automation_id = $2
     and state = 'DUE'
     and not is_by_hand`;

/** Lets a worker look at the automations of a workspace at once. */
async function lookSoon(tx: Queryable, workspaceId: number): Promise<void> {
  await tx.query(
    `insert into automation_turns (workspace_id, look_at) values ($1, $2::timestamptz)
     on conflict (workspace_id) do update set look_at = excluded.look_at`,
    [workspaceId, momentOf(tx, workspaceId)],
  );
}

/** Pauses all automations of a workspace, or lets them continue. The state of each stays as it is. */
export async function pauseAll(tx: Queryable, actor: Actor, workspaceId: number, isPaused: boolean): Promise<void> {
  const before = await listAutomations(tx, workspaceId);
  if (before.isPaused === isPaused) return;
  await lookSoon(tx, workspaceId);
  await tx.query(
    `update automation_turns
        set is_paused = $2, resumed_at = case when $2 then resumed_at else $3::timestamptz end
      where workspace_id = $1`,
    [workspaceId, isPaused, momentOf(tx, workspaceId)],
  );
  await audit(tx, { workspaceId, actor, action: isPaused ? 'automation.all_paused' : 'automation.all_resumed' });
}
