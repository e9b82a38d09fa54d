import type { Actor } from '../../ground/contract/actor.ts';
import { type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import { takeIds } from '../../ground/database/ids.ts';
import { Failure } from '../../ground/errors.ts';
import type { Language } from '../../ground/values/language.ts';
import { audit } from './audit.ts';
import { announceGrantChange } from './grant-changes.ts';

export interface Workspace {
  id: number;
  name: string;
  accountId: number;
  language: string;
  refusesUnknownEmployeeNumbers: boolean;
  acceptsLeavers: boolean;
  asksForApproval: boolean;
  allowsSelfRecognition: boolean;
  erasureNeedsTwo: boolean;
}

export interface NewWorkspace {
  name: string;
  /** The account that owns it; if absent, a new account with the same name. */
  accountId?: number;
  language: string;
  refusesUnknownEmployeeNumbers: boolean;
  /** Whether leavers may still receive gifts and shoutouts; false if absent. */
  acceptsLeavers?: boolean;
  /** Whether shoutouts wait for approval; false if absent. */
  asksForApproval?: boolean;
  /** Whether people may give themselves a shoutout; false if absent. */
  allowsSelfRecognition?: boolean;
  /** Whether a second person has to agree to an erasure; false if absent. */
  erasureNeedsTwo?: boolean;
}

/** Whether a second person has to agree before a person is erased. */
export const needsTwo = `(erasure_confirmation = 'TWO_PEOPLE')`;

const columns = `
  id, name, account_id as "accountId", language,
  refuse_unknown_employee_numbers as "refusesUnknownEmployeeNumbers",
  accept_leavers as "acceptsLeavers", shoutouts_need_approval as "asksForApproval",
  allow_self_recognition as "allowsSelfRecognition", ${needsTwo} as "erasureNeedsTwo"`;

/** Creates a workspace with all that it needs: an account, a default team, a default reason, its counter. */
export async function createWorkspace(tx: Queryable, actor: Actor, workspace: NewWorkspace): Promise<Workspace> {
  const accountId = workspace.accountId ?? (await createAccount(tx, workspace.name));
  const accounts = await tx.query('select 1 from accounts where id = $1', [accountId]);
  if (accounts.length === 0) throw new Failure('setup', `There is no account ${accountId}.`);
  const created = await queryOne<Workspace>(
    tx,
    `insert into workspaces (account_id, name, language, refuse_unknown_employee_numbers, accept_leavers,
                             shoutouts_need_approval, allow_self_recognition, erasure_confirmation)
     values ($1, $2, $3, $4, $5, $6, $7, case when $8 then 'TWO_PEOPLE' else 'PAUSE' end)
     returning ${columns}`,
    [
      accountId,
      workspace.name,
      workspace.language,
      workspace.refusesUnknownEmployeeNumbers,
      workspace.acceptsLeavers ?? false,
      workspace.asksForApproval ?? false,
      workspace.allowsSelfRecognition ?? false,
      workspace.erasureNeedsTwo ?? false,
    ],
  );
  await addDefaults(tx, created);
  const { id, name } = created;
  await audit(tx, { workspaceId: id, actor, action: 'workspace.created', subject: { id, name } });
  return created;
}

/** The first reason of a workspace, in its language. Recipients read it. */
const firstReasons: Record<Language, string> = { en: 'Thank you', fr: 'Merci', es: 'Gracias' };

function firstReason(language: string): string {
  return firstReasons[language.slice(0, 2).toLowerCase() as Language] ?? firstReasons.en;
}

async function addDefaults(tx: Queryable, { id, language }: Pick<Workspace, 'id' | 'language'>): Promise<void> {
  const [teamId] = await takeIds(tx, 'teams', 1);
  const [reasonId] = await takeIds(tx, 'reasons', 1);
  await tx.query(
    `with team    as (insert into teams (workspace_id, id, name) values ($1, $2, 'Everyone')),
          reason  as (insert into reasons (workspace_id, id, description) values ($1, $3, $4)),
          counter as (insert into activity_counters (workspace_id) values ($1))
     update workspaces
        set default_team_id   = $2,
            default_reason_id = $3
      where id = $1`,
    [id, teamId, reasonId, firstReason(language)],
  );
}

export async function listWorkspaces(database: Queryable): Promise<Workspace[]> {
  return database.query<Workspace>(`select ${columns} from workspaces order by id`);
}

export async function readWorkspace(on: Queryable, id: number): Promise<Workspace> {
  const found = await queryOptional<Workspace>(on, `select ${columns} from workspaces where id = $1`, [id]);
  if (!found) throw noWorkspace(id);
  return found;
}

/** Changes columns of a workspace. updateSettings writes the audit entry. */
export async function updateWorkspace(
  tx: Queryable,
  id: number,
  change: Partial<Omit<NewWorkspace, 'accountId'>>,
): Promise<Workspace> {
  const updated = await queryOptional<Workspace>(
    tx,
    `update workspaces
        set name     = coalesce($2, name),
            language = coalesce($3, language),
            refuse_unknown_employee_numbers = coalesce($4, refuse_unknown_employee_numbers),
            accept_leavers          = coalesce($5, accept_leavers),
            shoutouts_need_approval = coalesce($6, shoutouts_need_approval),
            allow_self_recognition  = coalesce($7, allow_self_recognition),
            erasure_confirmation    = case $8::boolean when true then 'TWO_PEOPLE' when false then 'PAUSE' else erasure_confirmation end
      where id = $1
     returning ${columns}`,
    [
      id,
      change.name ?? null,
      change.language ?? null,
      change.refusesUnknownEmployeeNumbers ?? null,
      change.acceptsLeavers ?? null,
      change.asksForApproval ?? null,
      change.allowsSelfRecognition ?? null,
      change.erasureNeedsTwo ?? null,
    ],
  );
  if (!updated) throw noWorkspace(id);
  await announceGrantChange(tx);
  return updated;
}

async function createAccount(tx: Queryable, name: string): Promise<number> {
  const { id } = await queryOne<{ id: number }>(tx, 'insert into accounts (name) values ($1) returning id', [name]);
  return id;
}

export async function checkWorkspace(database: Queryable, workspaceId: number): Promise<void> {
  const found = await database.query('select from workspaces where id = $1', [workspaceId]);
  if (found.length === 0) throw noWorkspace(workspaceId);
}

export function noWorkspace(id: number): Failure {
  return new Failure('setup', `There is no workspace ${id}: "giftwire workspace list" shows them.`);
}
