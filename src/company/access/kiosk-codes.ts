import { randomInt, timingSafeEqual } from 'node:crypto';
import type { Actor } from '../../ground/contract/actor.ts';
import type { KioskCode } from '../../ground/contract/kiosk-code.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { shownName } from '../directory/names.ts';
import { hasLeft, isPerson } from '../directory/who.ts';
import { audit } from '../workspaces/audit.ts';
import { announceGrantChange } from '../workspaces/grant-changes.ts';
import { openEmployeeSession } from './employee-sessions.ts';
import { forgetKioskAttempts } from './kiosk-attempts.ts';
import { findCodeHolder } from './memberships.ts';
import type { SignedIn, SignInOptions } from './session-rows.ts';

/** The server's keys, with which the codes of kiosks are hashed: a stolen database does not have the codes. */
export interface KioskKeys {
  current: number;
  /** Null for a version that the server no longer has: codes of it are not known. */
  hashOf(purpose: string, keyVersion: number): Buffer | null;
}

/** When a person's code was created, and when they signed in with it first. */
export interface KioskCodeDates {
  createdAt: Date;
  usedAt: Date | null;
}

const digits = 10;

/**
 * Creates the code with which a person signs in at a kiosk, in place of an earlier one: its sessions end. It is in the result and nowhere else. The
 * caller holds the workspace's lock, so that the person is who they are until the end of the transaction.
 */
export async function createKioskCode(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  memberId: number,
  keys: KioskKeys,
): Promise<KioskCode> {
  const person = await readPerson(tx, workspaceId, memberId);
  if (person.hasLeft) throw new Failure('conflict', 'This person has left: mark them as returned first.');
  const { employeeNumber } = person;
  if (employeeNumber === null)
    throw new Failure('conflict', 'At a kiosk people enter their employee number, and this person has none.');
  const code = Array.from({ length: digits }, () => randomInt(10)).join('');
  await tx.query(
    `insert into kiosk_codes as k (workspace_id, member_id, hash, key_version, created_at)
     values ($1, $2, $3, $4, now())
         on conflict (workspace_id, member_id) do update
        set hash        = excluded.hash,
            key_version = excluded.key_version,
            created_at  = excluded.created_at,
            used_at     = null`,
    [workspaceId, memberId, hashOf(keys, { workspaceId, memberId, code }, keys.current), keys.current],
  );
  await endKioskSessions(tx, workspaceId, memberId);
  await forgetKioskAttempts(tx, workspaceId, employeeNumber);
  await auditCode(tx, actor, workspaceId, person, 'member.kiosk_code_created');
  return { memberId, employeeNumber, code };
}

/** Removes a person's code. Their sessions at kiosks end within a second on every node. */
export async function revokeKioskCode(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  memberId: number,
): Promise<void> {
  const person = await readPerson(tx, workspaceId, memberId);
  const removed = await tx.query(
    'delete from kiosk_codes where workspace_id = $1 and member_id = $2 returning member_id',
    [workspaceId, memberId],
  );
  if (removed.length === 0) throw noCode();
  await endKioskSessions(tx, workspaceId, memberId);
  await auditCode(tx, actor, workspaceId, person, 'member.kiosk_code_revoked');
}

export async function readKioskCode(on: Queryable, workspaceId: number, memberId: number): Promise<KioskCodeDates> {
  const found = await queryOptional<KioskCodeDates>(
    on,
    `select created_at as "createdAt", used_at as "usedAt" from kiosk_codes where workspace_id = $1 and member_id = $2`,
    [workspaceId, memberId],
  );
  if (!found) throw noCode();
  return found;
}

/** Whether a workspace lets people in at kiosks: it lets employees in, and at least one of them has a code. */
export async function hasKiosk(on: Queryable, workspaceId: number): Promise<boolean> {
  const found = await on.query(
    `select from workspaces w
      where w.id = $1
        and w.employee_access <> 'OFF'
        and exists (select from kiosk_codes k where k.workspace_id = w.id)`,
    [workspaceId],
  );
  return found.length > 0;
}

/** What a person enters at a kiosk. */
export interface KioskEntry {
  workspaceId: number;
  employeeNumber: string;
  code: string;
}

/** Signs in a person at a kiosk; null if they may not. It takes as many statements for a number that does not exist. */
export async function enterAtKiosk(
  tx: Queryable,
  options: SignInOptions & { kiosk: KioskKeys },
  { workspaceId, employeeNumber, code }: KioskEntry,
  browser: string | null,
): Promise<SignedIn | null> {
  const { kiosk } = options;
  const holder = await findCodeHolder(tx, workspaceId, employeeNumber.trim());
  const entered = hashOf(
    kiosk,
    { workspaceId, memberId: holder?.memberId ?? 0, code },
    holder?.keyVersion ?? kiosk.current,
  );
  if (!holder || !entered || !timingSafeEqual(entered, holder.hash)) return null;
  // Waits for a change of the code: a session of the former code that began meanwhile would outlive it.
  const used = await tx.query(
    `update kiosk_codes
        set used_at = coalesce(used_at, now())
      where workspace_id = $1 and member_id = $2 and hash = $3
     returning member_id`,
    [workspaceId, holder.memberId, holder.hash],
  );
  if (used.length === 0) return null;
  const proof = { email: null, subject: null, employees: [holder] };
  return openEmployeeSession(tx, options, { way: 'KIOSK', browser, proof });
}

/** Called with the row of the code locked: sign-ins with the former code have ended, or fail. */
async function endKioskSessions(tx: Queryable, workspaceId: number, memberId: number): Promise<void> {
  await tx.query(
    `delete from session_members held
      using sessions s
      where held.workspace_id = $1
        and held.member_id = $2
        and s.id = held.session_id
        and s.way = 'KIOSK'`,
    [workspaceId, memberId],
  );
}

function hashOf(
  keys: KioskKeys,
  { workspaceId, memberId, code }: { workspaceId: number; memberId: number; code: string },
  version: number,
): Buffer | null {
  // Cards group the digits.
  return keys.hashOf(`kiosk:${workspaceId}:${memberId}:${code.replace(/[\s-]/g, '')}`, version);
}

interface Person {
  id: number;
  name: string;
  hasLeft: boolean;
  employeeNumber: string | null;
}

async function readPerson(tx: Queryable, workspaceId: number, memberId: number): Promise<Person> {
  const person = await queryOptional<Person>(
    tx,
    `select m.id, ${shownName('m')} as name, ${hasLeft('m')} as "hasLeft", m.employee_number as "employeeNumber"
       from members m
      where m.workspace_id = $1
        and m.id = $2
        and ${isPerson('m')}`,
    [workspaceId, memberId],
  );
  if (!person) throw new Failure('missing', 'There is no member with this id in this workspace.');
  return person;
}

async function auditCode(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  { id, name }: Person,
  action: 'member.kiosk_code_created' | 'member.kiosk_code_revoked',
): Promise<void> {
  await announceGrantChange(tx);
  await audit(tx, { workspaceId, actor, action, subject: { id, name } });
}

const noCode = () => new Failure('missing', 'This person has no code for kiosks.');
