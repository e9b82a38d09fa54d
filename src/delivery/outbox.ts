import { type Queryable, queryOptional } from '../database/database.ts';
import { Failure } from '../errors.ts';
import { type Gift, giftColumns, giftTables } from '../gifts/gift.ts';
import { addressOf, addressTables } from './addresses.ts';
import { type MailKind, withPictures } from './compose.ts';
import { type Letterhead, readCompany, writeMail } from './message.ts';

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
  const sent = await on.query<SentMail>(
    `${sentSql} and ($5::timestamptz is null or q.sent_at < $5) order by q.sent_at desc limit $4`,
    [workspaceId, null, null, limit, before],
  );
  const mails: KeptMail[] = [];
  for (const one of sent) mails.push(await writeAgain(on, letterhead, one));
  return mails;
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
      `${sentSql} and q.nth = $4 and ($5::int is null or q.edition = $5) order by q.edition desc limit 1`,
      [workspaceId, giftId, kind.toUpperCase(), nth ?? 0, edition ?? null],
    ));
  if (!sent) throw new Failure('missing', `There is no mail ${id} in the outbox: "giftwire outbox list" shows them.`);
  return writeAgain(on, letterhead, sent);
}

const idForm = /^(\d{1,15})(?:\.(\d{1,5}))?(?:-(reminder|code|thanks))?(?:-(\d{1,5}))?$/;

async function writeAgain(on: Queryable, letterhead: Letterhead, sent: SentMail): Promise<KeptMail> {
  const { kind, mailEdition, nth, sentAt, address, ...current } = sent;
  const gift = { ...current, edition: mailEdition };
  const company = await readCompany(on, gift.workspaceId);
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

const sentSql = `
  select ${giftColumns},
         q.kind, q.edition as "mailEdition", q.nth, q.sent_at as "sentAt", ${addressOf} as address
    from mails q
    join certificates c on c.workspace_id = q.workspace_id and c.request_id = q.request_id and c.position = q.position
    ${giftTables}
    ${addressTables}
   where q.state = 'SENT'
     and ($1::bigint is null or q.workspace_id = $1)
     and ($2::bigint is null or c.id = $2)
     and ($3::text is null or q.kind = $3)`;
