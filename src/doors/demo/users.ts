import type { Role } from '../../company/access/roles.ts';
import { findOrAddUser, giveRole } from '../../company/access/users.ts';
import { theService } from '../../company/workspaces/audit.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { Queryable } from '../../ground/database/database.ts';
import type { DemoPerson } from './people.ts';

/** Which person of a department may sign in as what. The owner is the one whom the sign-in link is for. */
const roles: readonly { department: string; nth: number; role: Role }[] = [
  { department: 'People', nth: 0, role: 'OWNER' },
  { department: 'People', nth: 1, role: 'PEOPLE_TEAM' },
  { department: 'Customer Care', nth: 0, role: 'MANAGER' },
  { department: 'Engineering', nth: 0, role: 'APPROVER' },
  { department: 'Finance', nth: 0, role: 'AUDITOR' },
];

/** Lets one person with each role sign in, and returns these users. */
export async function addUsers(
  tx: Queryable,
  workspaceId: number,
  people: readonly DemoPerson[],
): Promise<Map<Role, Actor>> {
  const users = new Map<Role, Actor>();
  for (const { department, nth, role } of roles) {
    const person = people.filter((one) => one.department === department)[nth] as DemoPerson;
    const user = await findOrAddUser(tx, workspaceId, { email: person.email, name: nameOf(person) });
    await giveRole(tx, theService, user, { workspaceId, role, member: person.email });
    users.set(role, { is: 'USER', id: user.id, name: nameOf(person) });
  }
  return users;
}

export const nameOf = ({ firstName, lastName }: DemoPerson) => `${firstName} ${lastName}`;
