import assert from 'node:assert/strict';
import type { Giftwire } from '@giftwire/sdk';

/** Calls every method about the caller, about employees who sign in, and about their codes. */
export async function useEmployees(giftwire: Giftwire): Promise<void> {
  const { user, session, token, workspaces } = await giftwire.me.retrieve();
  assert.deepEqual([user, session, token?.name, workspaces.length], [null, null, 'Payroll', 1]);
  const refused = { status: 403, type: 'security_error' };
  await assert.rejects(giftwire.me.account(), refused);
  await assert.rejects(giftwire.me.update({ language: 'es' }), refused);
  await assert.rejects(giftwire.me.choosePassword({ password: 'one wire, one bow' }), refused);
  await assert.rejects(giftwire.me.endSession(1), refused);
  // The token acts as no person.
  await assert.rejects(giftwire.me.preferences(), { status: 404 });
  await assert.rejects(giftwire.me.data(), { status: 403 });
  await assert.rejects(giftwire.me.updatePreferences({ digest: true }), { status: 404 });

  assert.equal((await giftwire.settings.updateEmployees({ access: 'ALL' })).access, 'ALL');
  assert.equal((await giftwire.settings.employees()).leaverDays, null);
  const { id } = await giftwire.members.create({ employeeNumber: 'kiosk-1' });
  const { code, employeeNumber } = await giftwire.members.createKioskCode(id);
  assert.deepEqual([code.length, employeeNumber], [10, 'kiosk-1']);
  assert.equal((await giftwire.members.kioskCode(id)).usedAt, null);
  await giftwire.members.revokeKioskCode(id);
  await assert.rejects(giftwire.members.kioskCode(id), { status: 404 });
}
