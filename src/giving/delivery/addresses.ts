import { survivorOf } from '../../company/directory/who.ts';

/**
 * Where an email goes, as an SQL expression over `addressTables`. A note of thanks goes to the sender of the gift. All else goes to the
 * address that was given for this link version, else to the recipient's own.
 */
export const addressOf = `
  case when q.kind = 'THANKS' then sender.email
       else coalesce(q.address, first.address, m.email) end`;

/**
 * What joins to `q`, a row of emails or one that becomes such a row, and to these tables of the gift: `order_requests r`, and the
 * recipient as `members m`.
 */
export const addressTables = `
  left join members named_sender on named_sender.workspace_id = q.workspace_id and named_sender.id = r.sender_id
  left join members sender       on sender.workspace_id = q.workspace_id and sender.id = ${survivorOf('named_sender')}
  left join mails first          on first.workspace_id = q.workspace_id
                                and first.request_id = q.request_id
                                and first.position = q.position
                                and first.kind = 'GIFT'
                                and first.edition = q.edition
                                and first.nth = 0`;
