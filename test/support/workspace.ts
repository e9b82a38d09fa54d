import assert from 'node:assert/strict';
import type { MemberFields } from '../../src/company/directory/member-fields.ts';
import { mergeMembers } from '../../src/company/directory/merge.ts';
import { addMembers, updateMembers } from '../../src/company/directory/save.ts';
import { appendEvents } from '../../src/company/events/log.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { lockWorkspace } from '../../src/company/workspaces/lock.ts';
import type { NewWorkspace } from '../../src/company/workspaces/workspaces.ts';
import type { MemberPage } from '../../src/ground/contract/member.ts';
import type { OrderRecord, OrderRequestStatus } from '../../src/ground/contract/order.ts';
import type { LastRecognizedPage, TeamActivityPage } from '../../src/ground/contract/report.ts';
import type { Shoutout, ShoutoutPage } from '../../src/ground/contract/shoutout.ts';
import { recount } from './derived.ts';
import { eventually, whileBusy } from './eventually.ts';
import { aGift, anOrder } from './orders.ts';
import type { Answer, Call, TestService } from './service.ts';

export interface Opening extends Partial<NewWorkspace> {
  people?: MemberFields[];
  /** The member its token acts as; by default an integration. */
  actsAs?: string;
  /** The name on its token; null for none. */
  tokenName?: string | null;
}

export type TestWorkspace = Awaited<ReturnType<typeof openWorkspace>>;

/** Opens a new workspace with people and a token. Returns functions for what callers and the directory do there. */
export async function openWorkspace(
  service: TestService,
  { people = [], actsAs, tokenName, ...settings }: Opening = {},
) {
  const { database } = service;
  const id = await service.addWorkspace(settings);
  const addPeople = (added: MemberFields[]) =>
    database.transaction(async (tx) => {
      await lockWorkspace(tx, id);
      return addMembers(tx, id, added);
    });
  const memberIds = people.length > 0 ? await addPeople(people) : [];
  const { token, id: tokenId } = await service.addToken({
    workspaces: [id],
    ...(actsAs !== undefined && { actsAs }),
    ...(tokenName !== undefined && { name: tokenName }),
  });

  const call = <Body = Record<string, unknown>>(path: string, asked: Call = {}): Promise<Answer<Body>> =>
    whileBusy(() => service.call<Body>(path, { token, workspace: id, ...asked }));
  const read = async <Body>(path: string): Promise<Body> => {
    const { status, body } = await call<Body>(path);
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
    return body;
  };
  /** Sends an order that must be accepted, to this service or to another node. */
  const submit = async (orderItems: unknown[], via = service): Promise<string> => {
    const order = { method: 'POST', token, workspace: id, body: anOrder({ orderItems }) };
    const { status, body } = await whileBusy(() => via.call<OrderRequestStatus>('/api/v1/orders', order));
    assert.equal(status, 201, JSON.stringify(body));
    return body.requestId;
  };
  /** Sends an order with a gift for each recipient, which may be refused. */
  const order = (recipients: object[], asked: Call = {}) => {
    const body = anOrder({ orderItems: recipients.map((recipient) => aGift({ recipient })) });
    return call<OrderRequestStatus>('/api/v1/orders', { method: 'POST', body, ...asked });
  };
  const status = (requestId: string) => read<OrderRequestStatus>(`/api/v1/orders/status/${requestId}`);
  const finished = (requestId: string): Promise<OrderRequestStatus> =>
    eventually(
      async () => (await call<OrderRequestStatus>(`/api/v1/orders/status/${requestId}`)).body,
      ({ requestStatus }) => requestStatus === 'COMPLETED' || requestStatus === 'FAILED',
    );
  /** The finished order with all its certificates. */
  const outcome = async (requestId: string): Promise<OrderRecord> => {
    await finished(requestId);
    return read<OrderRecord>(`/api/v1/orders/${requestId}?size=1000`);
  };
  const give = (shoutout: unknown, asked: Call = {}) =>
    call<Shoutout>('/api/v1/shoutouts', { method: 'POST', body: shoutout, ...asked });

  const passHours = (hours: number) =>
    database.transaction(async (tx) => {
      await lockWorkspace(tx, id);
      await tx.query(
        `update activities set created_on = created_on - $2::int * interval '1 hour' where workspace_id = $1`,
        [id, hours],
      );
      await tx.query(membersPassSql, [id, hours]);
      await tx.query(
        `update activity_counters set latest = latest - $2::int * interval '1 hour' where workspace_id = $1`,
        [id, hours],
      );
      await recount(tx, id);
      const moved = await tx.query<{ id: number }>('select id from members where workspace_id = $1', [id]);
      const events = moved.map((one) => ({ type: 'member.changed' as const, data: one }));
      await appendEvents(tx, id, new Date(), events);
    });
  return {
    id,
    token,
    tokenId,
    memberIds,
    addPeople,
    call,
    read,
    submit,
    order,
    status,
    finished,
    outcome,
    give,
    /** Gives a shoutout that must be accepted. */
    async given(shoutout: unknown, asked: Call = {}): Promise<Shoutout> {
      const { status, body } = await give(shoutout, asked);
      assert.equal(status, 201, JSON.stringify(body));
      return body;
    },
    decide: (shoutoutId: number | string, verb: 'approve' | 'decline', asked: Call = {}) =>
      call<Shoutout>(`/api/v1/shoutouts/${shoutoutId}/${verb}`, { method: 'POST', ...asked }),
    /** One order with a gift for each recipient, fulfilled. Returns the ids of the members who got them. */
    async gift(...recipients: object[]): Promise<number[]> {
      const record = await outcome(await submit(recipients.map((recipient) => aGift({ recipient }))));
      assert.equal(record.state, 'COMPLETED');
      return record.certificates.map(({ recipientUser }) => recipientUser);
    },
    /** Cancels a gift; while its email is being sent, it waits. */
    async cancelGift(giftId: number | undefined): Promise<void> {
      await eventually(async () => (await call(`/api/v1/gifts/${giftId}/cancel`, { method: 'POST' })).status === 200);
    },
    activity: (query = '') => read<TeamActivityPage>(`/api/v1/reports/teams/activity${query}`),
    lastRecognized: (query = '') => read<LastRecognizedPage>(`/api/v1/reports/members/last-recognized${query}`),
    shoutouts: (query = '') => read<ShoutoutPage>(`/api/v1/shoutouts${query}`),
    members: (query = '') => read<MemberPage>(`/api/v1/members${query}`),
    change: (memberId: number, fields: MemberFields) =>
      database.transaction(async (tx) => {
        await lockWorkspace(tx, id);
        return updateMembers(tx, id, [{ id: memberId, ...fields }]);
      }),
    merge: (from: number, into: number) => database.transaction((tx) => mergeMembers(tx, theService, id, from, into)),
    /** Moves everything recorded so far this many days into the past. */
    passDays: (days: number) => passHours(days * 24),
    passHours,
  };
}

const membersPassSql = `
  update members
     set created_at = created_at - $2::int * interval '1 hour',
         left_at = left_at - $2::int * interval '1 hour',
         left_on = left_on - $2::int / 24,
         last_recognized_at = last_recognized_at - $2::int * interval '1 hour',
         last_recognized_on = coalesce(((last_recognized_at - $2::int * interval '1 hour') at time zone 'utc')::date,
                                       last_recognized_on - $2::int / 24)
   where workspace_id = $1`;

/** A valid shoutout, with a test's changes. */
export function aShoutout(changes: Record<string, unknown> = {}) {
  return { recipient: { email: 'ada@example.com' }, message: 'Well done!', ...changes };
}

/** Checks that a refusal has the interface's three fields and this status. Returns its message. */
export function refusal({ status, headers, body }: Answer<unknown>, expected: number): string {
  const problem = body as Record<string, unknown>;
  assert.equal(status, expected, JSON.stringify(body));
  assert.match(headers.get('content-type') ?? '', /^application\/json/);
  assert.deepEqual(Object.keys(problem), ['status', 'message', 'type']);
  assert.equal(problem.status, expected);
  assert.equal(problem.type, expected === 401 || expected === 403 ? 'security_error' : 'invalid_field');
  return problem.message as string;
}

export const isReplay = ({ headers }: Answer<unknown>) => headers.get('idempotent-replayed') === 'true';
