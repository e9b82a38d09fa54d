import { type Command, Option } from 'commander';
import { asThemselves } from '../../company/access/actor.ts';
import { readUserGrant } from '../../company/access/grant-rows.ts';
import { findUserOf } from '../../company/access/users.ts';
import { decideOrders } from '../../giving/approvals/decide.ts';
import { type ApprovalReader, findApproval, listApprovals } from '../../giving/approvals/list.ts';
import { hasMailServer } from '../../giving/delivery/send/transport.ts';
import { approvalStates, type OrderApproval, type OrderDecisions } from '../../ground/contract/approval.ts';
import { Failure } from '../../ground/errors.ts';
import { amountText } from '../../ground/values/money.ts';
import { decisionSteps } from '../../steps.ts';
import { commentText, emailAddress, forWorkspace, limitOf, requestIdText } from './arguments.ts';
import { cell, counted, fields, print } from './output.ts';
import { withDatabase, withDatabaseOf } from './session.ts';

interface Options {
  workspace: number;
  state: OrderApproval['state'];
  size: number;
  for: string;
  comment?: string;
  json?: boolean;
}

export function addApprovalCommands(program: Command): void {
  const approval = program
    .command('approval')
    .description('see which orders wait for approval, and record what an approver has decided');

  forWorkspace(approval.command('list').description('list the orders that wait, the oldest first'))
    .addOption(new Option('--state <state>', 'orders in this state').choices(approvalStates).default('WAITING'))
    .option('--size <n>', 'how many, up to 1000', limitOf(1_000), 20)
    .action(async ({ workspace, state, size, json }: Options) => {
      const found = await withDatabaseOf(workspace, (database) =>
        listApprovals(database, operator(workspace), { state, mine: false, sent: false, page: 0, size }),
      );
      const orders = found.approvals.flatMap(({ order }) => order ?? []);
      print(json, orders, () => orders.map(describeListed).join('\n') || 'No orders found.');
    });

  forWorkspace(approval.command('show').description('show whom an order waits for, or who decided it'))
    .argument('<requestId>', 'the requestId of the order', requestIdText)
    .action(async (requestId: string, { workspace, json }: Options) => {
      const found = await withDatabase((database) => findApproval(database, operator(workspace), requestId));
      print(json, found, () => describe(found));
    });

  deciding(approval.command('approve').description('record that an approver approves orders'))
    .option('--comment <text>', 'what the approver tells the sender', commentText)
    .action((requestIds: string[], options: Options) => decide(requestIds, 'APPROVED', options));

  deciding(approval.command('decline').description('record that an approver declines orders: they fail'))
    .requiredOption('--comment <text>', 'what the approver tells the sender', commentText)
    .action((requestIds: string[], options: Options) => decide(requestIds, 'DECLINED', options));
}

function deciding(command: Command): Command {
  return forWorkspace(command)
    .argument('<requestIds...>', 'the requestIds of the orders, which are decided together', requestIdTexts)
    .requiredOption('--for <email>', 'the approver who has decided', emailAddress);
}

function requestIdTexts(text: string, earlier: string[] = []): string[] {
  return [...earlier, requestIdText(text)];
}

/** Sees all orders of a workspace, and is no member of it. */
function operator(workspaceId: number): ApprovalReader {
  return { workspaceId, memberId: null, role: null, scopes: ['orders:read'], onlyReportsOf: null };
}

/** An operator decides nothing: they record the decision of a person, who has to be one of those who may decide. */
async function decide(
  requestIds: string[],
  decision: OrderDecisions['decision'],
  { workspace: workspaceId, for: email, comment, json }: Options,
): Promise<void> {
  const decided = await withDatabaseOf(workspaceId, async (database, config) => {
    const user = await findUserOf(database, workspaceId, email);
    const approver = user && (await readUserGrant(database, user.id, workspaceId));
    if (!approver)
      throw new Failure(
        'missing',
        `${email} does not sign in to workspace ${workspaceId}: name an approver with --for.`,
      );
    const made = { requestIds, decision, ...(comment !== undefined && { comment }) };
    const steps = decisionSteps(hasMailServer(config));
    return decideOrders(database, steps, approver.workspace, asThemselves(approver.user), made, 'CLI').catch(
      (error) => {
        throw inTheNameOf(email, error);
      },
    );
  });
  print(json, decided, () => decided.map(describe).join('\n\n'));
}

/** The message of a rejected decision speaks to the approver. */
function inTheNameOf(email: string, error: unknown): unknown {
  if (!(error instanceof Failure) || error.kind !== 'forbidden') return error;
  return new Failure('forbidden', `${email} may not decide. The console would say: ${error.message}`);
}

/** How much one decision is about: an order, or those of a batch. */
function amountOf({ gifts, total, currency, batch }: OrderApproval): { gifts: number; total: string } {
  return { gifts: batch?.gifts ?? gifts, total: amountText(batch?.total ?? total, currency) };
}

/** Two lines, as for `order list`. Of a batch, its first order is listed. */
function describeListed(order: OrderApproval): string {
  const { requestId, state, askedAt, sender, asked, rule, batch } = order;
  const { gifts, total } = amountOf(order);
  const inOrders = batch && batch.requestIds.length > 1 ? ` in ${counted(batch.requestIds.length, 'order')}` : '';
  const names = asked.map(({ name }) => name).join(', ');
  return [
    `${requestId}  ${state.padEnd(8)}  ${cell(new Date(askedAt))}`,
    `  ${counted(gifts, 'gift')}${inOrders}, ${total}, sent by ${cell(sender.name)}: ${rule.name}`,
    ...(state === 'WAITING' ? [`  waits for ${names || 'no one who may decide: it is declined in time'}`] : []),
  ].join('\n');
}

function describe(order: OrderApproval): string {
  const { requestId, state, rule, askedAt, decideBy, level, levels, asked, ownersAsked, decisions } = order;
  return fields({
    request: requestId,
    state,
    rule: rule.name,
    sender: order.sender.name,
    ...amountOf(order),
    ...(order.batch && { orders: order.batch.requestIds.join(', ') }),
    ...(order.note !== null && { note: order.note }),
    'asked at': cell(new Date(askedAt)),
    ...(levels > 1 && { level: `${level} of ${levels}` }),
    ...(state === 'WAITING' && {
      'waits for': asked.map(({ name }) => name).join(', ') || 'no one who may decide',
      ...(ownersAsked && { because: 'no approver of the rule remains' }),
      until: cell(new Date(decideBy)),
    }),
    ...Object.fromEntries(
      decisions.map(({ level: at, decision, by, comment }) => [
        levels > 1 ? `decision ${at}` : 'decision',
        [`${decision}${by ? ` by ${by.name}` : ''}`, ...(comment === null ? [] : [comment])].join(': '),
      ]),
    ),
  });
}
