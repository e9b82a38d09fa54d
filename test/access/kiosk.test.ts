import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseNetworks } from '../../src/ground/config/texts.ts';
import type { KioskCode, KioskCodeRecord } from '../../src/ground/contract/kiosk-code.ts';
import { addPerson, asPeopleTeam, employeeWith, letIn, meOf, readsPreferences } from '../support/employees.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';
import { cookieFrom } from '../support/sign-in.ts';
import { refusal } from '../support/workspace.ts';

const service = await startService({ trustedProxies: parseNetworks('127.0.0.0/8', '') });
const { database, workspaceId } = service;
await letIn(service, { access: 'ALL' });

let network = 0;
const enter = (employeeNumber: string, code: string, workspace = workspaceId) =>
  fetch(`${service.url}/session/kiosk`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Origin: service.url,
      'X-Forwarded-For': `198.51.100.${++network % 250}`,
    },
    body: JSON.stringify({ workspace, employeeNumber, code }),
  });

async function addWithCode(employeeNumber: string) {
  const id = await addPerson(service, { employeeNumber, firstName: 'Emeka' });
  const { status, body } = await asPeopleTeam<KioskCode>(service, `POST /members/${id}/kiosk-code`);
  assert.equal(status, 201);
  return { id, ...body };
}

const wrong = (code: string) => code.replace(/.$/, (digit) => String((Number(digit) + 1) % 10));

test('a person without an address signs in with their number and their printed code, for ten minutes', async () => {
  const { id, employeeNumber, code } = await addWithCode('03302');
  assert.match(code, /^\d{10}$/);
  const entered = await enter(` ${employeeNumber} `, `${code.slice(0, 5)} ${code.slice(5)}`);
  assert.equal(entered.status, 204);
  const browser = employeeWith(service, cookieFrom(entered));
  const { session, workspaces } = await meOf(browser);
  const [own] = workspaces;
  assert.deepEqual([own?.memberId, own?.role, own?.provesEmail, session?.way], [id, 'EMPLOYEE', false, 'KIOSK']);
  const minutes = (Date.parse(session?.endsAt ?? '') - Date.now()) / 60_000;
  assert.ok(minutes > 8 && minutes <= 10.1, String(minutes));
  const { body } = await asPeopleTeam<KioskCodeRecord>(service, `GET /members/${id}/kiosk-code`);
  assert.notEqual(body.usedAt, null);
  const ways = await service.call<{ kiosk: boolean }>(`/session/ways?workspace=${workspaceId}`, { token: null });
  assert.equal(ways.body.kiosk, true);
});

test('a code that is replaced or revoked ends its sessions', async () => {
  const { id, employeeNumber, code } = await addWithCode('04417');
  const first = employeeWith(service, cookieFrom(await enter(employeeNumber, code)));
  const { body } = await asPeopleTeam<KioskCode>(service, `POST /members/${id}/kiosk-code`);
  await eventually(
    () => readsPreferences(first),
    (status) => status === 401,
  );
  assert.equal((await enter(employeeNumber, code)).status, 401);
  const second = employeeWith(service, cookieFrom(await enter(employeeNumber, body.code)));
  assert.equal(await readsPreferences(second), 200);
  assert.equal((await asPeopleTeam(service, `DELETE /members/${id}/kiosk-code`)).status, 204);
  await eventually(
    () => readsPreferences(second),
    (status) => status === 401,
  );
  refusal(await asPeopleTeam(service, `DELETE /members/${id}/kiosk-code`), 404);
});

test('who may not sign in gets the same response for every reason', async () => {
  const { id, employeeNumber, code } = await addWithCode('05001');
  const left = await addWithCode('05002');
  await asPeopleTeam(service, `POST /members/${left.id}/leave`, {});
  await letIn(service, { leaverDays: 30 });
  await addPerson(service, { employeeNumber: '05003' });
  const closed = await service.addWorkspace();
  const tries = [
    [employeeNumber, wrong(code)],
    [left.employeeNumber, left.code],
    ['05003', code],
    ['no such number', code],
    [employeeNumber, code, closed],
    [employeeNumber, code, 999_999],
  ] as const;
  const said = [];
  for (const [number, tried, workspace] of tries) {
    const answer = await enter(number, tried, workspace);
    said.push([answer.status, await answer.text(), [...answer.headers.keys()].sort().join()]);
  }
  assert.equal(said[0]?.[0], 401);
  for (const one of said) assert.deepEqual(one, said[0]);
  const rows = await database.query<{ text: string }>('select k::text as text from kiosk_codes k');
  assert.ok(rows.length > 0 && rows.every(({ text }) => !text.includes(code)), 'the code is not stored');
  assert.ok(id > 0);
});

test('three wrong codes for a number, known or not, close it for five minutes, until a new code is created', async () => {
  const { id, employeeNumber, code } = await addWithCode('06001');
  for (const number of [employeeNumber, 'unknown-1']) {
    for (let nth = 0; nth < 3; nth++) assert.equal((await enter(number, wrong(code))).status, 401);
    const tooMany = await enter(number, code);
    assert.deepEqual([tooMany.status, Number(tooMany.headers.get('Retry-After')) > 200], [429, true]);
  }
  const { body } = await asPeopleTeam<KioskCode>(service, `POST /members/${id}/kiosk-code`);
  assert.equal((await enter(employeeNumber, body.code)).status, 204);
});

test('a right code forgets the wrong ones before it', async () => {
  const { employeeNumber, code } = await addWithCode('06002');
  for (let round = 0; round < 3; round++) {
    for (let nth = 0; nth < 2; nth++) assert.equal((await enter(employeeNumber, wrong(code))).status, 401);
    assert.equal((await enter(employeeNumber, code)).status, 204);
  }
});

test('another site cannot sign a browser in, and a person without a number or who has left gets no code', async () => {
  const { employeeNumber, code } = await addWithCode('06003');
  const foreign = await fetch(`${service.url}/session/kiosk`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: 'https://evil.example' },
    body: JSON.stringify({ workspace: workspaceId, employeeNumber, code }),
  });
  assert.equal(foreign.status, 403);
  const numberless = await addPerson(service, { email: 'numberless@example.com' });
  refusal(await asPeopleTeam(service, `POST /members/${numberless}/kiosk-code`), 409);
  const gone = await addPerson(service, { employeeNumber: '06004' });
  await asPeopleTeam(service, `POST /members/${gone}/leave`, {});
  refusal(await asPeopleTeam(service, `POST /members/${gone}/kiosk-code`), 409);
  refusal(await asPeopleTeam(service, 'POST /members/999999/kiosk-code'), 404);
});
