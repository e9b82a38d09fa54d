import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { generateSource } from 'oazapfts';
import type { MemberPage } from '../../src/ground/contract/member.ts';
import type { OrderRecord, OrderRequestStatus } from '../../src/ground/contract/order.ts';
import type { LastRecognizedPage, TeamActivityPage } from '../../src/ground/contract/report.ts';
import type { Shoutout } from '../../src/ground/contract/shoutout.ts';
import { cleanUp } from '../support/cleanup.ts';
import { documentPath } from '../support/openapi.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

/** What a program that uses a generated client brings back from its calls. */
interface Talk {
  created: OrderRequestStatus;
  status: OrderRequestStatus;
  order: OrderRecord;
  activity: TeamActivityPage;
  never: LastRecognizedPage;
  members: MemberPage;
  shoutout: Shoutout;
  approved: Shoutout;
  refusal: { status: number; message: string; type: string };
}

type Program = (address: string, tokens: { caller: string; approver: string }, workspaceId: string) => Promise<Talk>;

const service = await startService();
const root = fileURLToPath(new URL('../..', import.meta.url));
const node = process.execPath;
const tsc = join(root, 'node_modules/typescript/bin/tsc');

/** Programs as people would write them, with everything left out that may be left out. Generated code may not be erasable. */
const programs = {
  oazapfts: {
    generate: async (folder: string) =>
      writeFile(join(folder, 'client.ts'), await generateSource(fileURLToPath(documentPath))),
    program: `
      import * as api from './client';

      export async function talk(address: string, tokens: { caller: string; approver: string }, workspace: string) {
        api.defaults.baseUrl = address;
        api.defaults.headers = { Authorization: 'Bearer ' + tokens.caller };
        const order: api.OrderRequest = {
          orderItems: [{ message: 'Thank you!', amount: 25.5, recipient: { email: 'ada@example.com' } }],
          currency: 'CAD',
        };
        const created = expect(201, await api.createOrder(workspace, order, { idempotencyKey: 'oazapfts' }));
        let status = created;
        while (status.requestStatus === 'ACCEPTED')
          status = expect(200, await api.getOrderStatus(created.requestId, workspace));
        const found = expect(200, await api.findOrder(created.requestId, workspace));
        const activity = expect(200, await api.getTeamActivity(workspace));
        const never = expect(200, await api.getLastRecognized(workspace, { neverRecognized: true }));
        const members = expect(200, await api.listMembers(workspace, { search: 'ada' }));
        const thanks = { recipient: { email: 'ada@example.com' }, message: 'Well done!' };
        const shoutout = expect(201, await api.giveShoutout(workspace, thanks));
        const byApprover = { headers: { Authorization: 'Bearer ' + tokens.approver } };
        const approved = expect(200, await api.approveShoutout(shoutout.id, workspace, undefined, {}, byApprover));
        const refused = await api.createOrder(workspace, { ...order, currency: 'XXX' });
        const refusal = expect(400, refused);
        return { created, status, order: found, activity, never, members, shoutout, approved, refusal };
      }

      function expect<Status extends number, Answer extends { status: number; data?: unknown }>(
        status: Status,
        answer: Answer,
      ): Extract<Answer, { status: Status }> extends { data: infer Data } ? Data : never {
        if (answer.status !== status) throw new Error(JSON.stringify(answer));
        return answer.data as never;
      }
    `,
  },
  'swagger-typescript-api': {
    generate: (folder: string) =>
      promisify(execFile)(node, [
        join(root, 'node_modules/swagger-typescript-api/dist/cli.mjs'),
        ...['generate', '--silent', '--path', fileURLToPath(documentPath), '--output', folder, '--name', 'client.ts'],
      ]),
    program: `
      import * as generated from './client';

      export async function talk(address: string, tokens: { caller: string; approver: string }, workspace: string) {
        const client = (token: string) =>
          new generated.Api({
            baseUrl: address,
            baseApiParams: { headers: { Authorization: 'Bearer ' + token, 'X-Workspace-id': workspace } },
          }).api;
        const api = client(tokens.caller);
        const order: generated.OrderRequest = {
          orderItems: [{ message: 'Thank you!', amount: 25.5, recipient: { email: 'ada@example.com' } }],
          currency: 'CAD',
        };
        const created = (await api.createOrder(order)).data;
        let status: generated.OrderRequestStatus = created;
        while (status.requestStatus === 'ACCEPTED') status = (await api.getOrderStatus(created.requestId)).data;
        const found = (await api.findOrder(created.requestId)).data;
        const activity: generated.TeamActivityPage = (await api.getTeamActivity()).data;
        const never = (await api.getLastRecognized({ neverRecognized: true })).data;
        const members = (await api.listMembers({ search: 'ada' })).data;
        const thanks: generated.ShoutoutRequest = { recipient: { email: 'ada@example.com' }, message: 'Well done!' };
        const shoutout = (await api.giveShoutout(thanks)).data;
        const approved = (await client(tokens.approver).approveShoutout(shoutout.id)).data;
        const refusal = await api.createOrder({ ...order, currency: 'XXX' }).then(
          () => null,
          ({ error }: { error: generated.Problem }) => error,
        );
        return { created, status, order: found, activity, never, members, shoutout, approved, refusal };
      }
    `,
  },
};

for (const [generator, { generate: writeClient, program }] of Object.entries(programs))
  test(`a client that ${generator} generates compiles and works`, async () => {
    const { talk } = await compile(writeClient, program);
    const { id, token: caller } = await openWorkspace(service, {
      asksForApproval: true,
      people: [{ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }, { email: 'grace@example.com' }],
      actsAs: 'grace@example.com',
    });
    const { token: approver } = await service.addToken({ workspaces: [id] });
    checkTalk(await talk(service.url, { caller, approver }, String(id)));
  });

/** Generates a client in a folder of its own, and compiles it together with a program that uses it. */
async function compile(writeClient: (folder: string) => Promise<unknown>, program: string): Promise<{ talk: Program }> {
  const folder = await mkdtemp(join(tmpdir(), 'giftwire-client-'));
  cleanUp(() => rm(folder, { recursive: true }));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await mkdir(join(folder, 'source'));
  await writeClient(join(folder, 'source'));
  await writeFile(join(folder, 'source/program.ts'), program);
  await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }');
  const compilerOptions = {
    strict: true,
    skipDefaultLibCheck: true,
    target: 'esnext',
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: [],
    module: 'commonjs',
    moduleResolution: 'bundler',
    rootDir: 'source',
    outDir: 'compiled',
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['source'] }));
  await promisify(execFile)(node, [tsc, '-p', folder]).catch(({ stdout }) => assert.fail(stdout));
  return import(pathToFileURL(join(folder, 'compiled/program.js')).href);
}

function checkTalk({ created, status, order, activity, never, members, shoutout, approved, refusal }: Talk): void {
  assert.deepEqual([created.requestStatus, created.orderId], ['ACCEPTED', null]);
  assert.deepEqual([status.requestId, status.requestStatus], [created.requestId, 'COMPLETED']);
  assert.deepEqual([order.id, order.page, order.size, order.totalElements], [status.orderId, 0, 20, 1]);
  assert.deepEqual(
    order.certificates.map(({ amount, currency, message }) => [amount, currency, message]),
    [[25.5, 'CAD', 'Thank you!']],
  );
  assert.deepEqual(
    activity.activities.map(({ type, receiver }) => [type, receiver.email]),
    [['GIFT', 'ada@example.com']],
  );
  assert.deepEqual(
    never.teamMembers.map(({ teamMember, lastDate }) => [teamMember.email, lastDate]),
    [['grace@example.com', null]],
  );
  assert.deepEqual(
    members.members.map(({ email, active, manager }) => [email, active, manager]),
    [['ada@example.com', true, null]],
  );
  assert.deepEqual([shoutout.status, shoutout.isPrivate, shoutout.decidedBy], ['PENDING', false, null]);
  assert.deepEqual([approved.id, approved.status], [shoutout.id, 'APPROVED']);
  assert.ok(approved.decidedBy?.self);
  assert.deepEqual([refusal.status, refusal.type], [400, 'invalid_field']);
  assert.match(refusal.message, /^currency must be/);
}
