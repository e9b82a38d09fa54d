import assert from 'node:assert/strict';
import { atTheCommandLine } from '../../src/company/workspaces/audit.ts';
import { lockWorkspace } from '../../src/company/workspaces/lock.ts';
import { addRule, deleteRule } from '../../src/giving/approvals/rules.ts';
import type { ApprovalPage, OrderApproval } from '../../src/ground/contract/approval.ts';
import type { OrderDetails } from '../../src/ground/contract/order-list.ts';
import type { NewRule, Rule, RuleChange } from '../../src/ground/contract/rule.ts';
import type { Database } from '../../src/ground/database/database.ts';
import { eventually } from './eventually.ts';
import { aGift, anOrder } from './orders.ts';
import type { Call, TestService } from './service.ts';
import { type Browser, type Joining, signIn } from './sign-in.ts';
import { openWorkspace, type TestWorkspace } from './workspace.ts';

/** The people of these tests. The first is the sender's manager. */
export const people = [
  { email: 'lucie@example.com', firstName: 'Lucie', lastName: 'Gagnon', employeeNumber: '1' },
  { email: 'elena@example.com', firstName: 'Elena', lastName: 'Brandt', employeeNumber: '2' },
  { email: 'priya@example.com', firstName: 'Priya', lastName: 'Nair', employeeNumber: '3', department: 'Sales' },
  { email: 'owner@example.com', firstName: 'Olga', lastName: 'Owner', employeeNumber: '4' },
];

/** A rule that asks everyone with the role APPROVER about gifts above 100.00 CAD, with a test's changes. */
export function aRule(changes: Partial<NewRule> = {}): NewRule {
  const asking: Partial<NewRule> = { levels: [{ approvers: [{ is: 'ROLE', role: 'APPROVER' }] }], days: 7 };
  return {
    name: 'Large gifts',
    measure: 'GIFT',
    currency: 'CAD',
    above: 100,
    outcome: 'ASK',
    ...(changes.outcome === 'REJECT' ? {} : asking),
    ...changes,
  };
}

export function setRule(database: Database, workspaceId: number, changes: Partial<NewRule> = {}): Promise<Rule> {
  return database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    return addRule(tx, atTheCommandLine, workspaceId, aRule(changes));
  });
}

/** A workspace with four people, and users who sign in: Lucie and Elena approve, Priya sends, Olga is the owner. */
export async function openGate(service: TestService, rules: Partial<NewRule>[] = [{}]) {
  const workspace = await openWorkspace(service, { people });
  const [lucie, elena, priya, olga] = workspace.memberIds as [number, number, number, number];
  const join = (joining: Joining) => signIn(service, { workspace: workspace.id, ...joining });
  const users = {
    lucie: await join({ role: 'APPROVER', email: 'lucie@example.com', name: 'Lucie Gagnon' }),
    elena: await join({ role: 'APPROVER', email: 'elena@example.com', name: 'Elena Brandt' }),
    priya: await join({ role: 'PEOPLE_TEAM', email: 'priya@example.com', name: 'Priya Nair' }),
    olga: await join({ role: 'OWNER', email: 'owner@example.com', name: 'Olga Owner' }),
  };
  await workspace.change(priya, { managerId: lucie });
  const set: Rule[] = [];
  for (const rule of rules) set.push(await setRule(service.database, workspace.id, rule));
  await heard(service, workspace);
  /** Changes the first rule. Its conditions stay, so that no node has to hear of it. */
  const changeRule = async (change: RuleChange): Promise<Rule> => {
    const path = `/api/v1/rules/${set[0]?.id}`;
    const { status, body } = await workspace.call<Rule>(path, { method: 'PATCH', body: change });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  return { workspace, users, rules: set, changeRule, ids: { lucie, elena, priya, olga }, ...acting(workspace) };
}

/** Waits until the node that the tests call knows the rules: it knows a further one, of a currency that no test uses. */
export async function heard(service: TestService, workspace: TestWorkspace): Promise<void> {
  const last = await setRule(service.database, workspace.id, { currency: 'CLF', above: 0 });
  const body = anOrder({ currency: 'CLF' });
  await eventually(
    () => workspace.call('/api/v1/orders/validate', { method: 'POST', body }),
    ({ body: { rule } }) => (rule as { id: number } | null)?.id === last.id,
  );
  await service.database.transaction(async (tx) => {
    await lockWorkspace(tx, workspace.id);
    await deleteRule(tx, atTheCommandLine, workspace.id, last.id);
  });
}

function acting(workspace: TestWorkspace) {
  const send = async (by: Browser | null, changes: Record<string, unknown> = {}, asked: Call = {}): Promise<string> => {
    const call = by ? by.call : workspace.call;
    const order = anOrder({ orderItems: [aGift({ amount: 150 })], ...changes });
    const { status, body } = await call<{ requestId: string }>('/api/v1/orders', {
      method: 'POST',
      body: order,
      ...asked,
    });
    assert.equal(status, 201, JSON.stringify(body));
    return body.requestId;
  };
  const decide = (by: Browser, requestIds: string | string[], decision: 'APPROVED' | 'DECLINED', comment?: string) =>
    by.call<{ orders: OrderApproval[] }>('/api/v1/approvals/decisions', {
      method: 'POST',
      body: { requestIds: [requestIds].flat(), decision, ...(comment !== undefined && { comment }) },
    });
  return {
    send,
    decide,
    async decided(...asked: Parameters<typeof decide>): Promise<OrderApproval[]> {
      const { status, body } = await decide(...asked);
      assert.equal(status, 200, JSON.stringify(body));
      return body.orders;
    },
    details: (requestId: string) => workspace.read<OrderDetails>(`/api/v1/orders/${requestId}/details`),
    async asked(requestId: string): Promise<string[]> {
      const { approval } = await workspace.read<OrderDetails>(`/api/v1/orders/${requestId}/details`);
      return (approval?.asked ?? []).map(({ name }) => name).sort();
    },
    async listed(by: Browser, query = ''): Promise<ApprovalPage> {
      const { status, body } = await by.call<ApprovalPage>(`/api/v1/approvals${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    },
  };
}
