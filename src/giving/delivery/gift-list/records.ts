import type { deliveries, GiftDetails, GiftRecord } from '../../../ground/contract/gift.ts';
import { type Queryable, queryOptional } from '../../../ground/database/database.ts';
import { timeOfUuid } from '../../../ground/values/uuid.ts';
import { type Gift, giftColumns, giftTables } from '../../gifts/gift.ts';

export type DeliveryState = (typeof deliveries)[number];

/** The email about a gift: that of its current edition. It joins to `certificates c` of the workspace that the expression names. */
export const giftMail = (workspaceId: string) => `
  left join lateral (
         select *
           from mails
          where workspace_id = ${workspaceId}
            and request_id = c.request_id
            and position = c.position
            and kind = 'GIFT'
            and edition = c.edition
            and nth = 0
         offset 0) mail on true`;

/** What has become of that email, as an SQL expression: the `delivery` of a gift. */
export const deliveryOfMail = `coalesce(nullif(mail.state, 'CANCELLED'), 'NONE')`;

/** Reads gifts of a workspace as the API and the command line show them, in the sequence of the ids. */
export async function readGiftRecords(
  on: Queryable,
  workspaceId: number,
  ids: readonly number[],
): Promise<GiftRecord[]> {
  const rows = await on.query<Row>(recordsSql, [workspaceId, ids]);
  return rows.map(recordOf);
}

/** One gift with its timeline; null where the workspace has none with this id. */
export async function readDetails(on: Queryable, workspaceId: number, id: number): Promise<GiftDetails | null> {
  const [record] = await readGiftRecords(on, workspaceId, [id]);
  if (!record) return null;
  const entries = await on.query<LogRow>(logSql, [workspaceId, id]);
  const issued = { type: 'ISSUED', at: record.issuedAt, detail: {} };
  const reminder = await queryOptional<{ dueAt: Date }>(on, reminderSql, [workspaceId, id]);
  return {
    ...record,
    reminderAt: textOf(reminder?.dueAt ?? null),
    timeline: [issued, ...entries.map(({ at, ...entry }) => ({ ...entry, at: at.toISOString() }))],
  };
}

interface Row extends Gift {
  delivery: DeliveryState;
  address: string | null;
  dueAt: Date | null;
  sentAt: Date | null;
}

interface LogRow {
  type: string;
  at: Date;
  detail: Record<string, unknown>;
}

const recordsSql = `
  select ${giftColumns},
         ${deliveryOfMail}             as delivery,
         coalesce(mail.address, m.email) as address,
         case when mail.state in ('SCHEDULED', 'QUEUED', 'DEFERRED') then mail.due_at end as "dueAt",
         mail.sent_at                  as "sentAt"
    from unnest($2::bigint[]) with ordinality as asked (id, nth)
    join certificates c on c.workspace_id = $1 and c.id = asked.id
    ${giftTables}
    ${giftMail('$1')}
   order by asked.nth`;

// The ids follow the sequence in which things happened, because they are taken under the workspace's lock.
const logSql = `
  select l.type, l.at, l.detail
    from certificates c
    join gift_log l on l.workspace_id = c.workspace_id and l.request_id = c.request_id and l.position = c.position
   where c.workspace_id = $1
     and c.id = $2
   order by l.id`;

const reminderSql = `
  select m.due_at as "dueAt"
    from certificates c
    join mails m on m.workspace_id = c.workspace_id and m.request_id = c.request_id and m.position = c.position
   where c.workspace_id = $1
     and c.id = $2
     and c.state = 'ISSUED'
     and m.kind = 'REMINDER'
     and m.edition = c.edition
     and m.state in ('SCHEDULED', 'QUEUED', 'DEFERRED')
   order by m.due_at
   limit 1`;

function recordOf(row: Row): GiftRecord {
  return {
    id: row.id,
    requestId: row.requestId,
    customerRequestId: row.customerRequestId,
    state: row.state,
    delivery: row.delivery,
    address: row.address,
    edition: row.edition,
    amount: row.amount,
    redeemed: row.redeemed,
    currency: row.currency,
    message: row.message,
    reason: row.reason,
    language: row.language,
    senderId: row.senderId,
    senderName: row.senderName,
    recipient: {
      id: row.memberId,
      firstName: row.firstName,
      lastName: row.lastName,
      email: row.email,
      employeeNumber: row.employeeNumber,
    },
    orderedAt: timeOfUuid(row.requestId).toISOString(),
    issuedAt: row.issuedAt.toISOString(),
    dueAt: textOf(row.dueAt),
    sentAt: textOf(row.sentAt),
    viewedAt: textOf(row.viewedAt),
    claimedAt: textOf(row.claimedAt),
    expiresAt: textOf(row.expiresAt),
    thanks: row.thanks,
  };
}

function textOf(moment: Date | null): string | null {
  return moment === null ? null : moment.toISOString();
}
