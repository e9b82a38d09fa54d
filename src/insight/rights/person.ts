import { accountsActingAs, eraseAccounts } from '../../company/access/erase-accounts.ts';
import { eraseRecords } from '../../company/directory/erase.ts';
import { markErased } from '../../company/directory/erased-marks.ts';
import { checkLeaving } from '../../company/directory/owners.ts';
import { recordsOf } from '../../company/directory/who.ts';
import { audit, theService } from '../../company/workspaces/audit.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { keepForTax } from '../../spending/redemptions/tax-identities.ts';
import type { Work } from './steps.ts';
import { readTraces } from './traces.ts';

interface EraseOptions {
  /** They were erased before, and a restore has brought them back: also the last owner, who was not the last one then. */
  isAgain?: boolean;
}

/**
 * Erases the record of a person, and everything by which systems find them: from then on no screen, file, search or sign-in has them. Returns what
 * is needed to remove the rest. The caller holds the workspace's lock.
 */
export async function erasePerson(
  tx: Queryable,
  workspaceId: number,
  id: number,
  { isAgain = false }: EraseOptions = {},
): Promise<Work> {
  const records = (await tx.query<{ id: number }>(recordsOf('$1', '$2'), [workspaceId, id])).map((row) => row.id);
  const accounts = await accountsActingAs(tx, workspaceId, records);
  const traces = await readTraces(tx, workspaceId, records, accounts);
  await keepForTax(tx, workspaceId, id, records);
  await markErased(tx, workspaceId, id, records);
  if (!isAgain) await checkLeaving(tx, workspaceId, records);
  await eraseRecords(tx, workspaceId, id, records);
  await eraseAccounts(tx, workspaceId, accounts, records);
  await audit(tx, { workspaceId, actor: theService, action: 'member.erased', subject: { id, name: null } });
  return { workspaceId, records, accounts, traces };
}
