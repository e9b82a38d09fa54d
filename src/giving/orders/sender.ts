import type { WorkspaceGrant } from '../../company/access/grants.ts';
import { shownName } from '../../company/directory/names.ts';
import { refusals } from '../../company/directory/recipient-rules.ts';
import { hasLeft, memberByAddress, memberByNumber } from '../../company/directory/who.ts';
import type { OrderRequest } from '../../ground/contract/order.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure, type Fault } from '../../ground/errors.ts';

/** Whose gifts an order sends: on whose budget it draws, and which name recipients read. */
export interface OrderSender {
  memberId: number;
  name: string;
}

/** The member that the caller acts as. */
export function ownSender({ memberId, senderName }: WorkspaceGrant): OrderSender {
  return { memberId, name: senderName };
}

/** Only a token sends gifts in the name of others, and only with a scope for it: they draw on the budgets of others. */
export function checkDelegation({ role, scopes }: WorkspaceGrant, { sender }: { sender?: unknown }): void {
  if (sender === undefined || sender === null) return;
  if (role !== null) throw new Failure('forbidden', 'People send gifts in their own name: leave the sender out.');
  if (!scopes.includes('orders:delegate'))
    throw new Failure('forbidden', 'This token lacks the scope orders:delegate: leave the sender out.');
}

/** The member that an order names as its sender, or why it cannot be that one. Of a merged record, it is the surviving one. */
export async function findSender(
  on: Queryable,
  workspace: WorkspaceGrant,
  { email, employeeNumber }: NonNullable<OrderRequest['sender']>,
): Promise<OrderSender | Fault> {
  const fault = (problem: string) => ({ path: 'sender', problem });
  const found = await queryOptional<Found>(on, senderSql, [
    workspace.workspaceId,
    email ?? null,
    employeeNumber ?? null,
  ]);
  if (!found) return fault(refusals.isUnknown);
  if (found.isAnother) return fault('has the email address of one member and the employee number of another: send one');
  if (found.hasLeft) return fault('has left the workspace');
  return { memberId: found.id, name: found.name || found.email || workspace.senderName };
}

interface Found {
  id: number;
  name: string;
  email: string | null;
  hasLeft: boolean;
  /** The employee number beside the address is that of another member. */
  isAnother: boolean;
}

const senderSql = `
  select m.id,
         ${shownName('m')} as name,
         m.email,
         ${hasLeft('m')} as "hasLeft",
         coalesce(named.by_number <> m.id, false) as "isAnother"
    from (select ${memberByAddress('$1::bigint', '$2::text')} as by_address,
                 ${memberByNumber('$1::bigint', '$3::text')} as by_number) named
    join members m on m.workspace_id = $1
                  and m.id = case when $2::text is null then named.by_number else named.by_address end
   where not m.is_integration`;
