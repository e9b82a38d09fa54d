import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GiftPage } from '../../src/ground/contract/gift.ts';
import type { MemberActivityPage } from '../../src/ground/contract/member-activity.ts';
import type { Overview } from '../../src/ground/contract/overview.ts';
import type { TeamActivityPage } from '../../src/ground/contract/report.ts';
import { giftsOf, openGifts } from '../support/gifts.ts';
import type { TestService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';

const { service } = await openGifts();
const inThreeDays = new Date(Date.now() + 3 * 86_400_000);

/** Maya manages Noah, whose duplicate got a gift before it was merged into his record. Olga, who got one too, has no manager. */
async function openCompany(on: TestService) {
  const gifts = await giftsOf(on);
  const { workspace } = gifts;
  const people = ['maya', 'noah', 'olga'].map((name) => ({ email: `${name}@example.com`, firstName: name }));
  const [maya = 0, noah = 0] = await workspace.addPeople(people);
  await workspace.change(noah, { managerId: maya });
  const recipients = ['noah.twin@example.com', 'olga@example.com'].map((email) => ({ email }));
  const [gift = 0, other = 0] = await gifts.issue(...recipients);
  const { members } = await workspace.members('?search=noah.twin');
  const twin = members[0]?.id ?? 0;
  const merged = await workspace.call(`/api/v1/members/${twin}/merge`, { method: 'POST', body: { into: noah } });
  assert.equal(merged.status, 200, JSON.stringify(merged.body));
  const manager = await signIn(on, { role: 'MANAGER', email: 'maya@example.com', workspace: workspace.id });
  const read = async <Body>(path: string) => {
    const { status, body } = await manager.call<Body>(`/api/v1/${path}`);
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
    return body;
  };
  return { ...gifts, workspace, read, maya, noah, twin, gift, other };
}

type Company = Awaited<ReturnType<typeof openCompany>>;

async function findsTheGift({ read, noah, twin, gift }: Company): Promise<void> {
  const { requestId } = await read<{ requestId: string }>(`gifts/${gift}`);
  const queries = [`member=${noah}`, `member=${twin}`, 'search=noah', `requestId=${requestId}`, 'state=ISSUED'];
  for (const query of ['', ...queries]) {
    const { gifts } = await read<GiftPage>(`gifts?${query}`);
    assert.deepEqual(
      gifts.map(({ id, recipient }) => [id, recipient.id]),
      [[gift, noah]],
      query,
    );
  }
}

test('a manager sees the gifts of records that were merged into those of their reports', async () => {
  const company = await openCompany(service);
  await findsTheGift(company);
  const { activities } = await company.read<MemberActivityPage>(`members/${company.twin}/activities`);
  assert.equal(activities.length, 1);
  const report = await company.read<TeamActivityPage>('reports/teams/activity');
  assert.deepEqual(
    report.activities.map(({ receiver }) => receiver.id),
    [company.noah],
  );
});

test('so does a manager of more people than a search names one by one', async () => {
  const company = await openCompany(service);
  const { workspace, maya } = company;
  const many = await workspace.addPeople(Array.from({ length: 501 }, (_, nth) => ({ firstName: `Person ${nth}` })));
  await service.database.query('update members set manager_id = $2 where workspace_id = $1 and id = any($3)', [
    workspace.id,
    maya,
    many,
  ]);
  await findsTheGift(company);
});

test('what needs attention, and what was claimed, has these gifts', async () => {
  const { read, gift, other, noah, setMail, setExpiry, workspace } = await openCompany(service);
  const attention = async () => (await read<Overview>('reports/overview')).attention;
  for (const id of [gift, other]) await setMail(id, 'FAILED');
  const failed = await attention();
  assert.deepEqual([failed.failedGifts, failed.latestFailure?.id], [1, gift]);
  for (const id of [gift, other]) await setMail(id, 'NO_ADDRESS');
  assert.equal((await attention()).giftsWithoutAddress, 1);
  for (const id of [gift, other]) await setExpiry(id, inThreeDays);
  assert.deepEqual((await attention()).expiringGifts, 1);
  await service.database.query(
    `update certificates set state = 'CLAIMED', claimed_at = now() where workspace_id = $1`,
    [workspace.id],
  );
  // Reports are read again when something has changed through the service.
  await workspace.change(noah, { lastName: 'Brown' });
  const { current } = await read<Overview>('reports/overview');
  assert.deepEqual([current.gifts, current.claimed], [1, 1]);
});
