import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CoveragePage, NotRecognizedPage } from '../../src/ground/contract/coverage.ts';
import type { Overview, Series } from '../../src/ground/contract/overview.ts';
import { dayIn } from '../support/coverage-model.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { aShoutout, openWorkspace } from '../support/workspace.ts';

const service = await startService();

/** A time zone in which it is another day than in UTC, at every time of day. */
const zone = new Date().getUTCHours() >= 10 ? 'Pacific/Kiritimati' : 'Pacific/Pago_Pago';

test('our own reports count in the days of the workspace, the two of the interface in UTC', async () => {
  const people = ['boss', 'ada', 'liv'].map((name) => ({ email: `${name}@example.com` }));
  const workspace = await openWorkspace(service, { people });
  const [boss = 0, ada = 0, liv = 0] = workspace.memberIds;
  await workspace.change(ada, { managerId: boss });
  const manager = await signIn(service, { role: 'MANAGER', email: 'boss@example.com', workspace: workspace.id });
  const settle = async (timeZone: string) => {
    const answer = await workspace.call('/api/v1/settings', { method: 'PATCH', body: { timeZone } });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  const read = async () => {
    const { points, to } = await workspace.read<Series>('/api/v1/reports/series?by=day');
    const own = (await manager.call<Series>('/api/v1/reports/series?by=day')).body.points;
    const { asOf, current } = await workspace.read<Overview>('/api/v1/reports/overview');
    const coverage = await workspace.read<CoveragePage>('/api/v1/reports/coverage');
    const { members } = await workspace.read<NotRecognizedPage>('/api/v1/reports/members/not-recognized?never=true');
    const { members: listed } = await workspace.members('?includeInactive=true');
    const suggested = await workspace.read<{ members: { lastRecognizedOn: string }[] }>(
      '/api/v1/members/suggestions?search=ada',
    );
    const [last] = (await workspace.lastRecognized()).teamMembers;
    return {
      days: [
        to,
        points.at(-1)?.to,
        asOf,
        coverage.asOf,
        listed[1]?.lastRecognizedOn,
        listed[2]?.leftOn,
        suggested.members[0]?.lastRecognizedOn,
      ],
      counts: [points.at(-1)?.gifts, points.at(-1)?.shoutouts, own.at(-1)?.gifts, current.gifts, current.recognized],
      never: members.map(({ member }) => member.id),
      interface: last?.lastDate,
    };
  };
  await settle(zone);
  await workspace.gift({ email: 'ada@example.com' });
  await workspace.give(aShoutout({ recipient: { email: 'ada@example.com' } }));
  await workspace.change(liv, { active: false });
  for (const timeZone of [zone, 'UTC', zone]) {
    await settle(timeZone);
    const found = await read();
    assert.deepEqual(found.days, Array(7).fill(dayIn(timeZone, Date.now())), timeZone);
    assert.deepEqual([found.counts, found.never], [[1, 1, 1, 1, 1], [boss]], timeZone);
    assert.equal(found.interface, dayIn('UTC', Date.now()));
  }
});

test('a day that was named stays the day on which a person left, in every time zone', async () => {
  const workspace = await openWorkspace(service, { people: [{ email: 'ada@example.com' }] });
  const [ada = 0] = workspace.memberIds;
  await workspace.call(`/api/v1/members/${ada}/leave`, { method: 'POST', body: { leftOn: '2026-03-31' } });
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    await workspace.call('/api/v1/settings', { method: 'PATCH', body: { timeZone } });
    const { members } = await workspace.members('?includeInactive=true');
    assert.equal(members[0]?.leftOn, '2026-03-31', timeZone);
  }
});
