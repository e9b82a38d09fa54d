import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { cleanUp } from '../support/cleanup.ts';
import { aPng } from '../support/mails.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const tokenKey = 'k'.repeat(32);
const service = await startService({ tokenKey });
const env = { DATABASE_URL: service.database.url, GIFTWIRE_TOKEN_KEY: tokenKey };
const folder = await mkdtemp(join(tmpdir(), 'giftwire-doors-'));
cleanUp(() => rm(folder, { recursive: true }));

const logo = aPng(540, 120);
const people = 'email,firstName,employeeNumber\nnia@example.com,Nia,77\nold@example.com,Nia,\n';
const codes = 'retailer,value,code\nBooks,25,AAA-111\n';
const files = { logo: join(folder, 'logo.png'), people: join(folder, 'people.csv'), codes: join(folder, 'codes.csv') };
await Promise.all([writeFile(files.logo, logo), writeFile(files.people, people), writeFile(files.codes, codes)]);

interface Change {
  /** Method and path, with the ids that earlier changes have returned in braces. */
  api: string;
  body?: unknown;
  type?: string;
  /** The command, without --workspace unless `everywhere`. */
  cli: string[];
  everywhere?: true;
  /** The name of the id that both doors return, for later changes. */
  keep?: string;
}

const hook = { url: 'http://127.0.0.1:9/' };
const csv = { type: 'text/csv' };

/** What both doors can change, in an order in which each change finds what it needs. */
const changes: Change[] = [
  {
    api: 'PATCH /settings',
    body: { name: 'Acme', giftDays: 30, reminderDays: [3, 10], brandName: 'Acme Co', acceptsLeavers: true },
    cli: 'workspace update {workspace} --name Acme --gift-days 30 --reminders 3,10 --leavers accept --brand-name'
      .split(' ')
      .concat('Acme Co'),
    everywhere: true,
  },
  {
    api: 'PUT /settings/logo',
    body: logo,
    type: 'image/png',
    cli: ['workspace', 'update', '{workspace}', '--logo', files.logo],
    everywhere: true,
  },
  {
    api: 'DELETE /settings/logo',
    cli: ['workspace', 'update', '{workspace}', '--logo', 'none'],
    everywhere: true,
  },
  { api: 'POST /reasons', body: { description: 'Team' }, cli: ['reason', 'add', 'Team'], keep: 'reason' },
  {
    api: 'PATCH /reasons/{reason}',
    body: { description: 'Teamwork' },
    cli: ['reason', 'update', '{reason}', '--description', 'Teamwork'],
  },
  { api: 'DELETE /reasons/{reason}', cli: ['reason', 'retire', '{reason}'] },
  { api: 'POST /webhooks', body: hook, cli: ['webhook', 'create', hook.url], keep: 'hook' },
  {
    api: 'PATCH /webhooks/{hook}',
    body: { description: 'P' },
    cli: ['webhook', 'update', '{hook}', '--description', 'P'],
  },
  { api: 'POST /webhooks/{hook}/rotate', cli: ['webhook', 'rotate', '{hook}'] },
  { api: 'POST /webhooks/{hook}/disable', cli: ['webhook', 'disable', '{hook}'] },
  { api: 'POST /webhooks/{hook}/enable', cli: ['webhook', 'enable', '{hook}'] },
  { api: 'POST /webhooks/{hook}/replay', body: { from: 1 }, cli: ['webhook', 'replay', '{hook}', '--from', '1'] },
  { api: 'DELETE /webhooks/{hook}', cli: ['webhook', 'delete', '{hook}'] },
  {
    api: 'POST /tokens',
    body: { name: 'Till', scopes: ['orders:read'] },
    cli: ['token', 'create', '--name', 'Till', '--scopes', 'orders:read'],
    keep: 'token',
  },
  {
    api: 'POST /tokens/{token}/rotate',
    cli: ['token', 'rotate', '{token}'],
    everywhere: true,
    keep: 'second',
  },
  { api: 'DELETE /tokens/{second}', cli: ['token', 'revoke', '{second}'], everywhere: true },
  {
    api: 'POST /users',
    body: { email: '{who}', name: 'Ada', role: 'AUDITOR' },
    cli: ['admin', 'link', '--email', '{who}', '--name', 'Ada', '--role', 'AUDITOR'],
    keep: 'user',
  },
  { api: 'PATCH /users/{user}', body: { role: 'APPROVER' }, cli: ['admin', 'role', '{who}', 'APPROVER'] },
  { api: 'POST /users/{user}/link', cli: ['admin', 'link', '--email', '{who}'], everywhere: true },
  { api: 'DELETE /users/{user}/sessions', cli: ['admin', 'sign-out', '{who}'], everywhere: true },
  { api: 'DELETE /users/{user}', cli: ['admin', 'revoke', '{who}'] },
  { api: 'POST /members/import', body: people, ...csv, cli: ['members', 'import', files.people] },
  {
    api: 'PATCH /settings/employees',
    body: {
      access: 'ALL',
      leaverDays: 90,
      setNames: true,
      givesGifts: true,
      feedShowsGifts: true,
      managerDigest: true,
    },
    cli: 'employees set --access all --leaver-days 90 --names on --gifts on --feed-gifts on --manager-digest on'.split(
      ' ',
    ),
  },
  {
    api: 'PATCH /settings/retention',
    body: { changes: [{ kind: 'emails', days: 365 }] },
    cli: ['retention', 'set', 'emails', '365'],
  },
  { api: 'POST /members/{nia}/kiosk-code', cli: ['employees', 'code', '77'] },
  { api: 'DELETE /members/{nia}/kiosk-code', cli: ['employees', 'revoke-code', '77'] },
  {
    api: 'PUT /members/{nia}/hold',
    body: { reason: 'Case 2027-14' },
    cli: ['member', 'hold', '{nia}', '--reason', 'Case 2027-14'],
  },
  {
    api: 'PUT /members/{nia}/restriction',
    body: { reason: 'Asked for it' },
    cli: ['member', 'keep-out', '{nia}', '--reason', 'Asked for it'],
  },
  { api: 'DELETE /members/{nia}/restriction', cli: ['member', 'keep-out', '{nia}', '--lift'] },
  { api: 'DELETE /members/{nia}/hold', cli: ['member', 'hold', '{nia}', '--release'] },
  {
    api: 'POST /members/{old}/merge',
    body: { into: '{nia}' },
    cli: ['member', 'merge', '{old}', '{nia}', '--yes'],
  },
  {
    api: 'POST /budgets',
    body: { currency: 'CAD', amount: 100 },
    cli: ['budget', 'set', '--currency', 'CAD', '--amount', '100'],
    keep: 'budget',
  },
  {
    api: 'PATCH /budgets/{budget}',
    body: { giftLimit: 50 },
    cli: ['budget', 'change', '{budget}', '--gift-limit', '50'],
  },
  { api: 'POST /budgets/{budget}/grants', body: { amount: 5 }, cli: ['budget', 'grant', '{budget}', '5'] },
  { api: 'POST /budgets/{budget}/withdrawals', body: { amount: 5 }, cli: ['budget', 'withdraw', '{budget}', '5'] },
  { api: 'DELETE /budgets/{budget}', cli: ['budget', 'close', '{budget}'] },
  {
    api: 'POST /rules',
    body: {
      name: 'Large',
      measure: 'GIFT',
      currency: 'CAD',
      above: 250,
      from: { department: 'Sales' },
      outcome: 'ASK',
      levels: [
        { approvers: [{ is: 'MANAGER' }, { is: 'ROLE', role: 'MANAGER' }] },
        { approvers: [{ is: 'ROLE', role: 'OWNER' }] },
      ],
      days: 7,
    },
    cli: 'rule add Large --measure gift --currency cad --above 250 --from department:Sales --ask manager,role:manager'
      .split(' ')
      .concat('--then-ask', 'role:OWNER', '--days', '7'),
    keep: 'rule',
  },
  {
    api: 'PATCH /rules/{rule}',
    body: { above: 0, isOn: false, outcome: 'REJECT', message: 'Closed.', levels: [], days: null },
    cli: ['rule', 'change', '{rule}', '--above', '0', '--off', '--reject', 'Closed.'],
  },
  { api: 'DELETE /rules/{rule}', cli: ['rule', 'delete', '{rule}', '--yes'] },
  {
    api: 'POST /pools',
    body: { name: 'Cards', currency: 'CAD' },
    cli: ['pool', 'add', 'Cards', '--currency', 'CAD'],
    keep: 'pool',
  },
  { api: 'PATCH /pools/{pool}', body: { lowAt: 3 }, cli: ['pool', 'change', '{pool}', '--low', '3'] },
  { api: 'POST /pools/{pool}/codes', body: codes, ...csv, cli: ['pool', 'upload', '{pool}', files.codes] },
  { api: 'DELETE /pools/{pool}/codes', cli: ['pool', 'empty', '{pool}', '--yes'] },
  { api: 'POST /gifts/{gift}/cancel', cli: ['gift', 'cancel', '{gift}'] },
];

interface Entry {
  actor: string;
  action: string;
  name: string | null;
  detail: Record<string, unknown>;
}

/** A workspace with one gift, and the ids that changes name. */
async function openDoor(who: string) {
  const workspace = await openWorkspace(service);
  await workspace.gift({ email: 'lee@example.com' });
  const [gift] = await service.database.query<{ id: number }>('select id from certificates where workspace_id = $1', [
    workspace.id,
  ]);
  const ids = new Map<string, unknown>([
    ['workspace', workspace.id],
    ['who', who],
    ['gift', gift?.id],
  ]);
  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (_, name) => String(ids.get(name)));
  const written = async (): Promise<Entry[]> => {
    const entries = await service.database.query<Entry>(
      `select actor, action, subject_name as name, detail from audit_log where workspace_id = $1 order by id`,
      [workspace.id],
    );
    await service.database.query('delete from audit_log where workspace_id = $1', [workspace.id]);
    return entries;
  };
  const afterwards = async ({ keep, api }: Change, answer: Record<string, unknown>) => {
    if (keep !== undefined) ids.set(keep, answer.id);
    if (api !== 'POST /members/import') return;
    const found = await service.database.query<{ id: number; email: string }>(
      'select id, email from members where workspace_id = $1',
      [workspace.id],
    );
    for (const { id, email } of found) ids.set(email?.split('@')[0] ?? '', id);
  };
  await written();
  return { workspace, ids, filled, written, afterwards };
}

test('the same change through the API and through a command has the same entry in the audit log', async () => {
  const [overHttp, byCommand] = [await openDoor('ada@example.com'), await openDoor('ada.two@example.com')];
  for (const change of changes) {
    const { api, body, type, cli, everywhere } = change;
    const [method = '', path = ''] = overHttp.filled(api).split(' ');
    const sent = body instanceof Uint8Array || typeof body === 'string' ? body : filledBody(body, overHttp.filled);
    const { status, body: answer } = await overHttp.workspace.call(`/api/v1${path}`, {
      method,
      body: sent,
      ...(type !== undefined && { headers: { 'Content-Type': type } }),
    });
    assert.ok(status < 300, `${api}: ${status} ${JSON.stringify(answer)}`);
    await overHttp.afterwards(change, answer);
    const at = everywhere ? [] : ['--workspace', String(byCommand.workspace.id)];
    const { code, stdout, stderr } = await giftwire([...cli.map(byCommand.filled), ...at, '--json'], env);
    assert.equal(code, 0, `${cli.join(' ')}: ${stderr}`);
    await byCommand.afterwards(change, JSON.parse(stdout));
    const [one, other] = [await overHttp.written(), await byCommand.written()];
    assert.ok(one.length > 0, `${api} has no entry`);
    assert.deepEqual(other.map(comparable), one.map(comparable), api);
    assert.deepEqual(new Set(one.map(({ actor }) => actor)), new Set(['TOKEN']), api);
    assert.deepEqual(new Set(other.map(({ actor }) => actor)), new Set(['CLI']), api);
  }
});

function filledBody(body: unknown, filled: (text: string) => string): unknown {
  if (body === undefined) return undefined;
  const numbers = JSON.stringify(body).replace('"{nia}"', '{nia}');
  return JSON.parse(numbers.replace(/\{\w+\}/g, filled));
}

/** Without what differs between the two workspaces: the actor, and the id of a merged record. */
function comparable({ action, name, detail: { from, ...detail } }: Entry) {
  return { action, name, detail: { ...detail, ...(from !== undefined && { from: typeof from }) } };
}
