import type { Read } from '../../company/access/read-traces.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure, invalid } from '../../ground/errors.ts';
import { isMoment } from '../../ground/values/moment.ts';
import { type Gift, giftColumns, giftTables } from '../gifts/gift.ts';
import { addressOf, addressTables } from './addresses.ts';
import { type MailHead, type MailKind, withPictures } from './compose/compose.ts';
import { type DecidedRequest, decisionOf } from './compose/decision.ts';
import {
  type Letterhead,
  type MailCompany,
  type MailToWrite,
  readMailCompany,
  writeHead,
  writeMail,
} from './compose/message.ts';

/** An email that was sent, as a list shows it: what emails say is stored nowhere. */
export interface SentHead {
  /** The gift's id, then what is special about the email: 90210, 90210-reminder-1, 90210.2-code-1. */
  id: string;
  workspaceId: number;
  giftId: number;
  kind: MailKind;
  sentAt: Date;
  to: string | null;
  from: string;
  subject: string;
}

/** The same, written once more. */
export interface KeptMail extends SentHead {
  text: string;
  /** With its pictures inside, so that it can be opened as a file. */
  html: string;
}

/** A caller who reads an email has the link of its gift. */
export function mailRead({ id }: KeptMail): Read {
  return { action: 'mail.read', subject: { id, name: null }, gifts: 1 };
}

type SentMail = Gift & {
  kind: MailKind;
  mailEdition: number;
  nth: number;
  sentAt: Date;
  address: string | null;
  decision: DecidedRequest | null;
};

interface Listing {
  workspaceId: number | null;
  limit: number;
  /** The id of an email: only those behind it. Or a moment: only those that were sent before. */
  before?: string | null;
}

/** The latest emails first. */
export async function listOutbox(on: Queryable, letterhead: Letterhead, listing: Listing): Promise<SentHead[]> {
  const sent = await readLatest(on, listing);
  const companies = new Map<number, Promise<MailCompany>>();
  const companyOf = (id: number) =>
    companies.get(id) ?? (companies.set(id, readMailCompany(on, id)).get(id) as Promise<MailCompany>);
  return Promise.all(
    sent.map(async (one) => {
      const head = writeHead(letterhead, mailOf(one, await companyOf(one.workspaceId)));
      return describe(letterhead, one, head);
    }),
  );
}

async function readLatest(on: Queryable, { workspaceId, limit, before = null }: Listing): Promise<SentMail[]> {
  const place = before === null ? placeOf('infinity') : await readPlace(on, workspaceId, before);
  const latest = `
    (select *
       from mails q
      where state = 'SENT'
        and ${inWorkspace(workspaceId, 'workspace_id')}
        and (${placeColumns.join(', ')}) < ($3::timestamptz, $4::uuid, $5::int, $6::text, $7::int, $8::int)
      order by ${latestFirst}
      limit $2)`;
  return on.query<SentMail>(
    `${sentSql(latest, workspaceId)} where ${inWorkspace(workspaceId, 'c.workspace_id')} order by ${latestFirst}`,
    [workspaceId, limit, ...place],
  );
}

/** Where an email stands in the list. Up to a hundred are written down as sent at the same moment. */
const placeColumns = ['q.sent_at', 'q.request_id', 'q.position', 'q.kind', 'q.edition', 'q.nth'];
const latestFirst = placeColumns.map((column) => `${column} desc`).join(', ');

/** Behind all emails that were sent at this moment or later. */
function placeOf(moment: string): unknown[] {
  return [moment, '00000000-0000-0000-0000-000000000000', 0, '', 0, 0];
}

async function readPlace(on: Queryable, workspaceId: number | null, before: string): Promise<unknown[]> {
  if (isMoment(before)) return placeOf(before);
  const [, giftId, edition = 0, kind = 'gift', nth = 0] = idForm.exec(before) ?? [];
  const place =
    giftId &&
    (await queryOptional<{ at: string; requestId: string; position: number }>(
      on,
      // As text, because a Date would cut off the microseconds.
      `select q.sent_at::text as at, q.request_id as "requestId", q.position
         from certificates c
         join mails q on q.workspace_id = c.workspace_id and q.request_id = c.request_id and q.position = c.position
        where ${inWorkspace(workspaceId, 'c.workspace_id')}
          and c.id = $2
          and q.edition = $3
          and q.kind = $4
          and q.nth = $5
          and q.sent_at is not null`,
      [workspaceId, giftId, edition, kind.toUpperCase(), nth],
    ));
  if (!place)
    throw invalid([
      { path: 'before', problem: 'must be the id of an email of the outbox, or a date and a time with a zone' },
    ]);
  return [place.at, place.requestId, place.position, kind.toUpperCase(), edition, nth];
}

/** Without an id the latest one. */
export async function findInOutbox(
  on: Queryable,
  letterhead: Letterhead,
  id: string | null,
  workspaceId: number | null = null,
): Promise<KeptMail> {
  if (id === null) {
    const [latest] = await readLatest(on, { workspaceId, limit: 1 });
    if (latest) return writeAgain(on, letterhead, latest);
    throw new Failure('missing', 'The outbox is empty: order a gift with "giftwire send" first.');
  }
  const [, giftId, edition, kind = 'gift', nth] = idForm.exec(id) ?? [];
  const sent =
    giftId &&
    (await queryOptional<SentMail>(
      on,
      `${sentSql('mails', workspaceId)}
       where q.state = 'SENT'
         and ${inWorkspace(workspaceId, 'c.workspace_id')}
         and c.id = $2
         and q.kind = $3
         and q.nth = $4
         and ($5::int is null or q.edition = $5)
       order by q.edition desc
       limit 1`,
      [workspaceId, giftId, kind.toUpperCase(), nth ?? 0, edition ?? null],
    ));
  if (!sent) throw new Failure('missing', `There is no email ${id} in the outbox: "giftwire outbox list" shows them.`);
  return writeAgain(on, letterhead, sent);
}

const idForm = /^(\d{1,15})(?:\.(\d{1,10}))?(?:-(reminder|code|thanks|decision))?(?:-(\d{1,10}))?$/;

async function writeAgain(on: Queryable, letterhead: Letterhead, sent: SentMail): Promise<KeptMail> {
  const mail = writeMail(letterhead, mailOf(sent, await readMailCompany(on, sent.workspaceId)));
  return { ...describe(letterhead, sent, mail), text: mail.text, html: withPictures(mail) };
}

function mailOf(sent: SentMail, company: MailCompany): MailToWrite {
  const { kind, mailEdition, nth, sentAt: _sentAt, address: _address, decision, ...current } = sent;
  return { kind, nth, gift: { ...current, edition: mailEdition }, company, decision };
}

function describe(letterhead: Letterhead, sent: SentMail, { fromName, subject }: MailHead): SentHead {
  const { workspaceId, id: giftId, kind, sentAt, address: to } = sent;
  return { id: idOf(sent), workspaceId, giftId, kind, sentAt, to, from: `${fromName} <${letterhead.from}>`, subject };
}

function idOf({ id, mailEdition, kind, nth }: SentMail): string {
  const edition = mailEdition > 0 ? `.${mailEdition}` : '';
  const which = kind === 'GIFT' ? '' : `-${kind.toLowerCase()}${nth > 0 ? `-${nth}` : ''}`;
  return `${id}${edition}${which}`;
}

/** True in the workspace $1, or in all of them if that is null. A condition for both would use no index. */
const inWorkspace = (workspaceId: number | null, column: string) =>
  workspaceId === null ? '$1::bigint is null' : `${column} = $1::bigint`;

/** Emails with their gifts. `mails` is the table or a part of it. */
const sentSql = (mails: string, workspaceId: number | null) => `
  select ${giftColumns},
         q.kind, q.edition as "mailEdition", q.nth, q.sent_at as "sentAt", ${addressOf} as address, ${decisionOf(workspaceId === null ? 'q.workspace_id' : '$1::bigint')} as decision
    from ${mails} q
    join certificates c on c.workspace_id = q.workspace_id and c.request_id = q.request_id and c.position = q.position
    ${giftTables}
    ${addressTables}`;
