import type { Queryable } from '../database/database.ts';
import { findByReference } from '../directory/managers.ts';
import type { MemberFields } from '../directory/member-fields.ts';
import { invalidValue } from './failure.ts';
import type { UserFields } from './user-fields.ts';
import type { UserRow } from './user-rows.ts';

/** A manager who is known, or the text that names one who is not known yet. */
interface Manager {
  managerId: number | null;
  managerReference: string | null;
}

/**
 * Whom a user's manager is: by id, login, e-mail address or employee number. Somebody whom nobody knows is waited for, and
 * the user is taken all the same: identity providers send people in any order. `id` is that of the user, where there is one.
 */
export async function resolveManager(
  tx: Queryable,
  workspaceId: number,
  { manager, userName, email, employeeNumber }: UserFields,
  id: number | null,
): Promise<Manager> {
  if (manager === null) return { managerId: null, managerReference: null };
  const managerId = await findByReference(tx, workspaceId, manager);
  const isOwn = [userName, email, employeeNumber].some((name) => name?.toLowerCase() === manager.toLowerCase());
  if (managerId === null ? isOwn : managerId === id) throw invalidValue('manager.value', 'must name another user');
  return { managerId, managerReference: managerId === null ? manager : null };
}

/** A user's manager in the form in which one is sent. */
export function managerText({ managerId, managerReference }: UserRow): string | null {
  return managerId === null ? managerReference : String(managerId);
}

/** What a user resource says, as the directory takes it. */
export function memberFields({ manager: _resolved, ...fields }: UserFields, manager: Manager): MemberFields {
  return { ...fields, ...manager };
}
