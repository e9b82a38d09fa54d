import { type Queryable, queryOptional } from '../database/database.ts';
import { Failure } from '../errors.ts';
import { type Gift, giftColumns, giftTables } from '../gifts/gift.ts';
import { addressOf, addressTables } from './addresses.ts';
import { type MailKind, withPictures } from './compose.ts';
import { type Company, type Letterhead, readCompany, writeMail } from './message.ts';

/** A mail that was sent, written once more: what mails say is stored nowhere. */
export interface KeptMail {
  /** The gift's id, then what is special about the mail: 90210, 90210-reminder-1, 90210.2-code-1. */
  id: string;
  workspaceId: number;
  giftId: number;
  kind: MailKind;
  sentAt: Date;
  to: string | null;
  from: string;
  subject: string;
  text: string;
  /** With its pictures inside, so that it can be opened as a file. */
  html: string;
}

type SentMail = Gift & { kind: MailKind; mailEdition: number; nth: number; sentAt: Date; address: string | null };

/** The latest mails first. */
export async function listOutbox(
  on: Queryable,
  letterhead: Letterhead,
  { workspaceId, limit, before = null }: { workspaceId: number | null; limit: number; before?: string | null },
): Promise<KeptMail[]> {
  const latest = `
    (select *
       from mails
      where state = 'SENT'
        and ${inWorkspace(workspaceId, 'workspace_id')}
        and sent_at < $2
      order by sent_at desc
      limit $3)`;
  const sent = await on.query<SentMail>(`${sentSql(latest)} order by q.sent_at desc`, [
    workspaceId,
    before ?? 'infinity',
    limit,
  ]);
  const companies = new Map<number, Promise<Company>>();
  const companyOf = (id: number) =>
    companies.get(id) ?? (companies.set(id, readCompany(on, id)).get(id) as Promise<Company>);
  return Promise.all(sent.map(async (one) => writeAgain(letterhead, one, await companyOf(one.workspaceId))));
}

/** Without an id the latest one. */
export async function findInOutbox(
  on: Queryable,
  letterhead: Letterhead,
  id: string | null,
  workspaceId: number | null = null,
): Promise<KeptMail> {
  if (id === null) {
    const [latest] = await listOutbox(on, letterhead, { workspaceId, limit: 1 });
    if (latest) return latest;
    throw new Failure('missing', 'The outbox is empty: order a gift with "giftwire send" first.');
  }
  const [, giftId, edition, kind = 'gift', nth] = idForm.exec(id) ?? [];
  const sent =
    giftId &&
    (await queryOptional<SentMail>(
      on,
      `${sentSql('mails')}
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
  if (!sent) throw new Failure('missing', `There is no mail ${id} in the outbox: "giftwire outbox list" shows them.`);
  return writeAgain(letterhead, sent, await readCompany(on, sent.workspaceId));
}

const idForm = /^(\d{1,15})(?:\.(\d{1,5}))?(?:-(reminder|code|thanks))?(?:-(\d{1,5}))?$/;

function writeAgain(letterhead: Letterhead, sent: SentMail, company: Company): KeptMail {
  const { kind, mailEdition, nth, sentAt, address, ...current } = sent;
  const gift = { ...current, edition: mailEdition };
  const mail = writeMail(letterhead, { kind, nth, gift, company });
  const { subject, fromName, text } = mail;
  return {
    id: idOf(sent),
    workspaceId: gift.workspaceId,
    giftId: gift.id,
    kind,
    sentAt,
    to: address,
    from: `${fromName} <${letterhead.from}>`,
    subject,
    text,
    html: withPictures(mail),
  };
}

function idOf({ id, mailEdition, kind, nth }: SentMail): string {
  const edition = mailEdition > 0 ? `.${mailEdition}` : '';
  const which = kind === 'GIFT' ? '' : `-${kind.toLowerCase()}${nth > 0 ? `-${nth}` : ''}`;
  return `${id}${edition}${which}`;
}

/** True in the workspace $1, or in all of them if that is null. A condition for both would use no index. */
const inWorkspace = (workspaceId: number | null, column: string) =>
  workspaceId === null ? '$1::bigint is null' : `${column} = $1::bigint`;

/** Mails with their gifts. `mails` is the table or a part of it. */
const sentSql = (mails: string) => `
  select ${giftColumns},
         q.kind, q.edition as "mailEdition", q.nth, q.sent_at as "sentAt", ${addressOf} as address
    from ${mails} q
    join certificates c on c.workspace_id = q.workspace_id and c.request_id = q.request_id and c.position = q.position
    ${giftTables}
    ${addressTables}`;
