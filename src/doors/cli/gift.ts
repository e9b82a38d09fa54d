import type { Command } from 'commander';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import { listGifts } from '../../giving/delivery/gift-list/list.ts';
import { readDetails } from '../../giving/delivery/gift-list/records.ts';
import { cancel, correctAddress, extend, type RepairOptions, sendAgain } from '../../giving/delivery/repairs.ts';
import { noGift } from '../../giving/gifts/repairs.ts';
import { loadKeys } from '../../giving/gifts/token-keys.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { GiftDetails, GiftPage, GiftQuery, GiftRecord } from '../../ground/contract/gift.ts';
import { deliveries, giftStates } from '../../ground/contract/gift.ts';
import type { Queryable } from '../../ground/database/database.ts';
import {
  dayOrMomentText,
  emailAddress,
  forWorkspace,
  lastDayText,
  limitOf,
  oneOfWords,
  positiveInteger,
  requestIdText,
} from './arguments.ts';
import { addPrintCommand } from './gift-print.ts';
import { cell, fields, print, table } from './output.ts';
import { withDatabaseOf } from './session.ts';

interface Options {
  workspace: number;
  json?: boolean;
}

type ListOptions = Options & Omit<GiftQuery, 'requestId' | 'size'> & { order?: string; limit: number };

export function addGiftCommands(program: Command): void {
  const gift = program.command('gift').description('see the status of gifts, and repair them');
  addListCommand(gift);
  addShowCommand(gift);

  one(gift.command('resend').description('email a gift once more, with the same link and code')).action(
    (id: number, options: Options) =>
      repair(options, async (repairs) => (await sendAgain(repairs, options.workspace, id, null)).gift, mailed),
  );

  one(gift.command('correct').description('email a gift to another address; its earlier link and code stop working'))
    .argument('<email>', 'the new email address', emailAddress)
    .action((id: number, email: string, options: Options) =>
      repair(options, (repairs) => correctAddress(repairs, options.workspace, id, email), mailed),
    );

  one(gift.command('cancel').description('cancel an unclaimed gift')).action((id: number, options: Options) =>
    repair(
      options,
      (repairs) => cancel(repairs, options.workspace, id),
      () => `Gift ${id} is cancelled.`,
    ),
  );

  one(gift.command('extend').description('let a gift be claimed for longer, also one that has expired'))
    .argument(
      '<day>',
      'the last day on which it can be claimed, for example 2027-03-31, or "never" if it is not to expire',
      lastDayText,
    )
    .action((id: number, day: string | null, options: Options) =>
      repair(
        options,
        (repairs) => extend(repairs, options.workspace, id, day),
        () => `Gift ${id} ${day === null ? 'no longer expires' : `can be claimed until the end of ${day}`}.`,
      ),
    );

  addPrintCommand(gift);
}

function addListCommand(gift: Command): void {
  forWorkspace(gift.command('list').description('list gifts, newest first'))
    .option('--state <state>', `only gifts in this state: ${giftStates.join(', ')}`, oneOfWords(giftStates))
    .option('--delivery <delivery>', `only gifts whose email is: ${deliveries.join(', ')}`, oneOfWords(deliveries))
    .option('--member <id>', 'only gifts to this member', positiveInteger)
    .option('--order <requestId>', 'only gifts of this order', requestIdText)
    .option('--from <day>', 'only gifts ordered from this day on', dayOrMomentText)
    .option('--to <day>', 'only gifts ordered up to the end of this day', dayOrMomentText)
    .option('--limit <n>', 'how many, up to 1000', limitOf(1_000), 20)
    .option('--after <id>', 'only gifts older than this one', positiveInteger)
    .action(async ({ workspace, json, order, limit, ...filters }: ListOptions) => {
      const page = await withDatabaseOf(workspace, (database) =>
        listAll(database, workspace, { ...filters, ...(order && { requestId: order }), size: limit }),
      );
      const more = page.next === null ? '' : `\n\nOlder ones: add --after ${page.next}`;
      print(json, page, () => `${listed(page.gifts)}${more}`);
    });
}

function addShowCommand(gift: Command): void {
  one(
    gift.command('show').description('show a gift with everything that happened to it; its tokens stay secret'),
  ).action(async (id: number, { workspace, json }: Options) => {
    const found = await withDatabaseOf(workspace, (database) => readDetails(database, workspace, id));
    if (!found) throw noGift();
    print(json, found, () => describe(found));
  });
}

/** A page with as many gifts as asked for: rare ones are searched in pieces. */
async function listAll(database: Queryable, workspace: number, query: GiftQuery): Promise<GiftPage> {
  const gifts: GiftRecord[] = [];
  let next: number | null | undefined;
  do {
    const size = query.size - gifts.length;
    const page = await listGifts(database, workspace, { ...query, size, ...(next && { after: next }) });
    gifts.push(...page.gifts);
    next = page.next;
  } while (next !== null && gifts.length < query.size);
  return { gifts, next };
}

async function repair(
  { workspace, json }: Options,
  work: (repairs: RepairOptions) => Promise<GiftDetails>,
  say: (gift: GiftDetails) => string,
): Promise<void> {
  const gift = await withDatabaseOf(workspace, async (database, { tokenKeys, dataDir, mailServer }) =>
    work({
      database,
      keys: await loadKeys(tokenKeys, dataDir, database),
      isMailOn: mailServer !== 'off',
      actor: atTheCommandLine,
    }),
  );
  print(json, gift, () => say(gift));
}

function one(command: Command): Command {
  return forWorkspace(command.argument('<id>', 'its id, which "gift list" and the order show', positiveInteger));
}

function mailed({ id, delivery, address, dueAt }: GiftDetails): string {
  const when = delivery === 'SCHEDULED' ? `on ${cell(momentOf(dueAt))}` : 'soon';
  return delivery === 'SENT' ? `Gift ${id} was emailed to ${address}.` : `Gift ${id} is emailed to ${address} ${when}.`;
}

function listed(gifts: readonly GiftRecord[]): string {
  if (gifts.length === 0) return 'No gifts found.';
  return table(
    ['Id', 'Ordered', 'Recipient', 'Amount', 'State', 'Email'],
    gifts.map((one) => [
      one.id,
      momentOf(one.orderedAt),
      recipientOf(one),
      `${one.amount} ${one.currency}`,
      one.state,
      one.delivery,
    ]),
  );
}

function recipientOf({ recipient }: GiftRecord): string {
  const name = [recipient.firstName, recipient.lastName].filter(Boolean).join(' ');
  if (recipient.employeeNumber === null) return name || recipient.email || 'an erased person';
  return name || recipient.email || `number ${recipient.employeeNumber}`;
}

function describe(gift: GiftDetails): string {
  const head = fields({
    gift: gift.id,
    order: gift.requestId,
    state: gift.state,
    email: gift.delivery,
    amount: `${gift.amount} ${gift.currency}`,
    message: gift.message,
    sender: gift.senderName,
    recipient: `${recipientOf(gift)}, member ${gift.recipient.id}`,
    address: gift.address,
    edition: gift.edition,
    issued: momentOf(gift.issuedAt),
    ...(gift.dueAt !== null && { 'email due': momentOf(gift.dueAt) }),
    ...(gift.claimedAt !== null && { claimed: momentOf(gift.claimedAt) }),
    expires: gift.expiresAt === null ? 'never' : momentOf(gift.expiresAt),
    ...(gift.thanks !== null && { thanks: gift.thanks }),
  });
  const rows = gift.timeline.map(({ type, at, detail }) => [momentOf(at), type, actorOf(detail.by), detailOf(detail)]);
  return `${head}\n\n${table(['When', 'What', 'By', 'Detail'], rows)}`;
}

/** The caller who did it. Operators and the service have no name. */
function actorOf(by: unknown): string {
  const { is, name } = (by ?? {}) as Partial<Actor>;
  return name ?? is ?? '';
}

/** What the mail server said, else all that is known. */
function detailOf({ answer, by: _shown, ...others }: Record<string, unknown>): string {
  if (answer !== undefined) return String(answer);
  return Object.entries(others)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

function momentOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
