import type { Queryable } from '../../ground/database/database.ts';
import { addressKey } from '../../ground/values/email.ts';
import { findErased } from '../directory/erased-marks.ts';
import { closesLoop, findLoops } from '../directory/manager-loops.ts';
import { findManager } from '../directory/managers.ts';
import type { MemberFields } from '../directory/member-fields.ts';
import { invalidValue, type ScimFailure } from './failure.ts';
import type { UserFields } from './user-fields.ts';
import type { UserRow } from './user-rows.ts';

/** The manager's id, or the text that names a manager who is not known yet. */
interface Manager {
  managerId: number | null;
  managerReference: string | null;
}

/**
 * Finds a user's manager by id, login, email address or employee number. If there is no such member yet, the text is kept
 * until there is one: identity providers send people in any order. The text is not kept if it named a person who was erased. `id` is the user's own, null for a new user. Returns null
 * if the user themself is named, or a person who reports to them.
 */
export async function resolveManager(
  tx: Queryable,
  workspaceId: number,
  { manager, userName, email, employeeNumber }: UserFields,
  id: number | null,
): Promise<Manager | null> {
  if (manager === null) return { managerId: null, managerReference: null };
  const managerId = await findManager(tx, workspaceId, manager);
  const key = addressKey(manager);
  const isOwn = [userName, email, employeeNumber].some((name) => name !== null && addressKey(name) === key);
  if (managerId === null && isOwn) return null;
  if (id !== null && (await findLoops(tx, workspaceId, [{ id, managerId }])).size > 0) return null;
  if (managerId !== null) return { managerId, managerReference: null };
  const [erased] = await findErased(tx, workspaceId, [
    { email: manager, employeeNumber: manager, externalId: manager },
  ]);
  return { managerId, managerReference: erased ? null : manager };
}

export function reportingManager(): ScimFailure {
  return invalidValue('manager.value', closesLoop);
}

/** A user's manager as SCIM sends one. */
export function managerText({ managerId, managerReference }: UserRow): string | null {
  return managerId === null ? managerReference : String(managerId);
}

/** The fields of a user resource, as the directory takes them. */
export function memberFieldsOf(
  { manager: _resolved, emails: _apart, ...fields }: UserFields,
  manager: Manager,
): MemberFields {
  return { ...fields, ...manager };
}
