import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NotRecognizedPage } from '../../src/ground/contract/coverage.ts';
import type { Overview } from '../../src/ground/contract/overview.ts';
import { operationsOf, readDocument } from '../support/openapi.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();
const people = ['maya', 'noah', 'olga'].map((name) => ({ email: `${name}@example.com` }));
const workspace = await openWorkspace(service, { people });
const [maya, noah, olga] = workspace.memberIds as [number, number, number];
await workspace.change(noah, { managerId: maya });
await workspace.gift({ email: 'olga@example.com' });
const manager = await signIn(service, { role: 'MANAGER', email: 'maya@example.com', workspace: workspace.id });

const taken = ['1970-01-01', '1970-01-31', '1999-12-31', '2000-02-29', '2999-12-01', '2999-12-31'];
const refused = [
  ...['0001-01-01', '0001-01-15', '0002-11-16', '0050-06-01', '0999-12-31', '1900-01-01', '1969-12-30', '1969-12-31'],
  ...['3000-01-01', '9999-01-01', '9999-12-30', '9999-12-31'],
];
const steps: Record<string, readonly string[]> = {
  getCoverage: ['by=department', 'by=month'],
  getSeries: ['by=day', 'by=week', 'by=month'],
  getTaxLog: ['year=2026'],
};

const reports = [...operationsOf(await readDocument()).values()].filter(({ path }) => path.includes('/reports/'));
const questions = reports.flatMap(({ operationId, path, parameters }) =>
  (steps[operationId] ?? ['']).flatMap((step) =>
    parameters
      .filter(({ name }) => ['from', 'to', 'asOf', 'since'].includes(name))
      .map(({ name }) => ({
        name,
        ask: (day: string) => `${path}?${[step, `${name}=${day}`].filter(Boolean).join('&')}`,
      })),
  ),
);

test('no day of the calendar makes a report fail, and those that reports do not take are named', async () => {
  type Call = typeof workspace.call;
  const asFile: Call = (path) => workspace.call(path, { headers: { Accept: 'text/csv' } });
  const all = [...taken, ...refused];
  const edges = ['1969-12-31', '1970-01-01', '2999-12-31', '3000-01-01'];
  const readers: [Call, string[]][] = [
    [workspace.call, all],
    [manager.call, edges],
    [asFile, edges],
  ];
  assert.ok(questions.length > 20);
  for (const { name, ask } of questions)
    for (const [call, days] of readers)
      for (const day of days) {
        const { status, body } = await call<{ message: string }>(ask(day));
        const said = `${ask(day)}: ${status} ${JSON.stringify(body)}`;
        assert.ok(status < 500, said);
        if (taken.includes(day) && status === 400) assert.match(body.message, /before|after|steps/, said);
        // The overview is no file.
        if (refused.includes(day) && status !== 406)
          assert.match(body.message, new RegExp(`: ${name} must be a date from 1970-01-01 to 2999-12-31`), said);
      }
});

test('everybody who was never recognized is found, however early the day', async () => {
  for (const query of ['since=1970-01-01', 'asOf=2999-12-31&since=1970-01-01', 'never=true']) {
    const { body } = await workspace.call<NotRecognizedPage>(`/api/v1/reports/members/not-recognized?${query}`);
    assert.deepEqual(
      body.members.map(({ member }) => member.id),
      [maya, noah],
      query,
    );
  }
  const { body } = await workspace.call<NotRecognizedPage>('/api/v1/reports/members/not-recognized?since=2999-12-31');
  assert.deepEqual(body.members.at(-1)?.member.id, olga);
  const early = await workspace.call<NotRecognizedPage>('/api/v1/reports/members/not-recognized?asOf=1970-01-01');
  assert.deepEqual([early.status, early.body.since, early.body.totalElements], [200, '1969-10-04', 0]);
});

test('an overview of the first and of the last day has the month before', async () => {
  const first = await workspace.call<Overview>('/api/v1/reports/overview?asOf=1970-01-01');
  assert.equal(first.body.before.to, '1969-12-01');
  const last = await workspace.call<Overview>('/api/v1/reports/overview?asOf=2999-12-31');
  assert.equal(last.body.current.to, '2999-12-31');
});
