import assert from 'node:assert/strict';
import type { Giftwire } from '@giftwire/sdk';

/** What the client does for a person who leaves and returns, asks for their data, or for erasure. */
export async function useRights({ members, erasures }: Giftwire, id: number): Promise<void> {
  assert.equal((await members.leave(id, { leftOn: '2026-01-31' })).leftOn, '2026-01-31');
  assert.equal((await members.return(id)).active, true);
  const zip = await new Response(await members.data(id)).arrayBuffer();
  assert.equal(Buffer.from(zip).toString('latin1', 0, 2), 'PK');
  assert.equal((await members.placeHold(id, { reason: 'Case 2027-14' })).hold?.reason, 'Case 2027-14');
  await members.releaseHold(id);
  assert.equal((await members.restrict(id, { reason: 'Asked for it' })).keptOut?.reason, 'Asked for it');
  await members.liftRestriction(id);
  assert.equal((await members.rights(id)).hold, null);
  assert.equal((await members.erasure(id)).erasure, null);
  assert.equal((await members.erase(id)).state, 'WAITING');
  assert.deepEqual(
    (await erasures.list()).erasures.map(({ memberId }) => memberId),
    [id],
  );
  await assert.rejects(members.confirmErasure(id), { status: 403 });
  assert.equal((await members.stopErasure(id)).state, 'STOPPED');
  for await (const { memberId, state } of erasures.all({ state: 'ENDED' }))
    assert.deepEqual([memberId, state], [id, 'STOPPED']);
}
