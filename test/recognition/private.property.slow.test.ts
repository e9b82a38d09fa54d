import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { EventPage } from '../../src/ground/contract/event-list.ts';
import type { TeamActivityPage } from '../../src/ground/contract/report.ts';
import fc from '../support/fast-check.ts';
import { runs } from '../support/runs.ts';
import { startService } from '../support/service.ts';
import { type Browser, signIn } from '../support/sign-in.ts';
import { aShoutout, openWorkspace } from '../support/workspace.ts';

const service = await startService();
const document = JSON.parse(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8'));

/** Every operation that reads and whose path names nothing. The two of a log say that something happened: they are compared by their texts alone. */
const logs = ['/api/v1/events', '/api/v1/audit'];
/** They say when they were read: the file of a person's own data has an entry for each time. */
const timed = ['/api/v1/ledger/verify', '/api/v1/clock', '/api/v1/me/data'];
const lists = Object.entries<Record<string, unknown>>(document.paths)
  .filter(
    ([path, methods]) => methods.get && path.startsWith('/api/v1') && !path.includes('{') && !timed.includes(path),
  )
  .map(([path]) => path);

const files = lists.filter((path) => path.includes('/reports/'));
const months = [
  '/api/v1/reports/coverage?by=month',
  '/api/v1/reports/series?by=day',
  '/api/v1/shoutouts?status=APPROVED',
];
const ofPerson = ['', '/activities', '/activities?direction=given'];

interface Given {
  from: number;
  to: number;
  isPrivate: boolean;
  decision: 'approve' | 'decline' | null;
}

const names = ['ada', 'bob', 'cleo', 'dan', 'eve', 'fay'];
const addressOf = (person: number) => `${names[person]}@example.com`;

/** Ada manages Bob and Cleo, Bob manages Dan. */
async function openCompany() {
  const workspace = await openWorkspace(service, {
    people: names.map((name, nth) => ({
      email: `${name}@example.com`,
      firstName: name,
      department: nth % 2 ? 'Care' : 'Sales',
    })),
    asksForApproval: true,
  });
  const ids = workspace.memberIds;
  for (const [person, manager] of [
    [1, 0],
    [2, 0],
    [3, 1],
  ] as const)
    await workspace.change(ids[person] as number, { managerId: ids[manager] as number });
  const as = (role: 'MANAGER' | 'AUDITOR' | 'OWNER', email: string) =>
    signIn(service, { role, email, workspace: workspace.id });
  const readers = {
    manager: await as('MANAGER', addressOf(0)),
    auditor: await as('AUDITOR', addressOf(4)),
    owner: await as('OWNER', addressOf(5)),
  };
  const give = async ({ from, to, isPrivate, decision }: Given, message: string) => {
    const body = aShoutout({
      recipient: { email: addressOf(to) },
      sender: { email: addressOf(from) },
      message,
      isPrivate,
    });
    const { id } = await workspace.given(body);
    if (decision) assert.equal((await workspace.decide(id, decision)).status, 200);
    return id;
  };
  return { workspace, ids, readers, give };
}

/** Everything that a person can read, by what they asked. */
async function readAll(reader: Browser, ids: readonly number[], shoutouts: readonly number[] = []) {
  const found: Record<string, unknown> = {};
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const { status, body } = await reader.call<unknown>(path, { headers });
    found[`${path} ${headers.Accept ?? ''}`] = { status, body };
  };
  for (const path of [...lists, ...months]) await ask(path);
  for (const path of files) await ask(path, { Accept: 'text/csv' });
  for (const id of ids) for (const path of ofPerson) await ask(`/api/v1/members/${id}${path}`);
  await ask('/api/v1/members/suggestions?search=example');
  for (const id of shoutouts) await ask(`/api/v1/shoutouts/${id}`);
  return found;
}

const people = fc.integer({ min: 0, max: 3 });
const given = fc
  .record({ from: people, to: people, decision: fc.constantFrom('approve', 'approve', 'decline', null) })
  .filter(({ from, to }) => from !== to);

/** What their texts say, without what is counted by time. */
const isOfLog = (asked: string) => logs.some((path) => asked.startsWith(path));

test('who may not see private shoutouts reads the same with and without them, whatever they ask', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(given, { maxLength: 4 }),
      fc.array(given, { minLength: 1, maxLength: 4 }),
      async (open, secret) => {
        const { workspace, ids, readers, give } = await openCompany();
        await workspace.gift({ email: addressOf(2) }, { email: addressOf(3) });
        for (const one of open) await give({ ...one, isPrivate: false } as Given, 'open');
        // The manager and the auditor are no party: Ada gives and receives none of these.
        const hidden = secret.map(
          (one) => ({ ...one, from: 1 + (one.from % 3), to: 1 + ((one.from + 1) % 3), isPrivate: true }) as Given,
        );
        const before = { manager: await readAll(readers.manager, ids), auditor: await readAll(readers.auditor, ids) };
        const shoutouts: number[] = [];
        for (const [nth, one] of hidden.entries()) shoutouts.push(await give(one, `secret ${nth}`));
        for (const name of ['manager', 'auditor'] as const) {
          const after = await readAll(readers[name], ids);
          for (const [asked, answer] of Object.entries(after)) {
            assert.doesNotMatch(JSON.stringify(answer), /secret/, `${name}: ${asked}`);
            if (!isOfLog(asked)) assert.deepEqual(answer, before[name][asked], `${name}: ${asked}`);
          }
          for (const id of shoutouts)
            assert.ok((await readers[name].call(`/api/v1/shoutouts/${id}`)).status >= 403, `${name}: shoutout ${id}`);
        }
        const { events } = await workspace.read<EventPage>('/api/v1/events?types=shoutout.given&size=1000');
        const told = events.map(({ data }) => data as Record<string, unknown>).filter(({ isPrivate }) => isPrivate);
        assert.equal(told.length, hidden.length);
        for (const data of told) assert.deepEqual([data.senderId, data.receiverId], [null, null]);

        const seen = await readers.owner.call<TeamActivityPage>('/api/v1/reports/teams/activity?size=1000');
        const declined = hidden.filter(({ decision }) => decision === 'decline').length;
        const flagged = seen.body.activities.filter(({ isPrivate }) => isPrivate);
        assert.equal(flagged.length, hidden.length - declined, 'those who approve see them');
      },
    ),
    { numRuns: runs(5) },
  );
});

test('the sender and the recipient of a private shoutout see it in their reports, and a token of the company does', async () => {
  const { workspace, ids, readers, give } = await openCompany();
  await give({ from: 0, to: 1, isPrivate: true, decision: 'approve' }, 'from the manager');
  const texts = async (of: Pick<Browser, 'call'>) => {
    const { body } = await of.call<TeamActivityPage>('/api/v1/reports/teams/activity');
    return body.activities.map(({ description, isPrivate }) => `${description} ${isPrivate}`);
  };
  assert.deepEqual(await texts(readers.manager), ['from the manager true']);
  assert.deepEqual(await texts(readers.auditor), []);
  assert.deepEqual(await texts(workspace), ['from the manager true']);
  const { token } = await service.addToken({ workspaces: [workspace.id], scopes: ['reports:read'] });
  const narrow = { call: <Body>(path: string) => service.call<Body>(path, { token, workspace: workspace.id }) };
  assert.deepEqual(await texts(narrow as Pick<Browser, 'call'>), ['from the manager true']);
  const { body } = await readers.manager.call<{ recognitions: number }>(`/api/v1/members/${ids[1]}`);
  assert.equal(body.recognitions, 1);
});
