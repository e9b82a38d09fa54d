import { isHeld } from '../../company/directory/holds.ts';
import { erasedHash } from '../../company/workspaces/erased-bodies.ts';
import { isOfOldOrder, type RowRetention } from '../../company/workspaces/retention.ts';
import { neutral, neutralText } from '../../ground/values/personal.ts';
import { giftTexts, isOpenGift } from '../gifts/text-retention.ts';

/** A completed order whose gifts are all closed. One that has failed can be tried again, with its texts. */
const isClosed = `
  exists (select from orders o where o.workspace_id = $1 and o.request_id = t.request_id and o.failure is null)
  and not exists (select from certificates c where c.workspace_id = $1 and c.request_id = t.request_id and ${isOpenGift})`;

/** The order as it was sent has the texts of its gifts, too. A hash of the whole order recognizes a repeated request. */
export const orderTextRetention: RowRetention = {
  ...giftTexts,
  runsAs: 'gift-texts-in-orders',
  isCopy: true,
  table: 'order_requests',
  key: [['request_id', 'uuid']],
  // A body can have a thousand gifts.
  batchRows: 2,
  isReached: isOfOldOrder,
  isRemovable: `
    (t.body ? 'note' or jsonb_path_exists(t.body, '$.orderItems[*].message ? (@ != "${neutralText}")'))
    and ${isClosed}
    and not ${isHeld('t.sender_id')}
    and not exists (select
                      from certificates c
                     where c.workspace_id = $1
                       and c.request_id = t.request_id
                       and ${isHeld('c.member_id')})`,
  becomes: `
    body = (t.body - 'note')
           || jsonb_build_object(
                'erased', ${erasedHash('t.body')},
                'orderItems', (select jsonb_agg(item.value || jsonb_build_object('message', ${neutral}) order by item.nth)
                                 from jsonb_array_elements(t.body -> 'orderItems') with ordinality as item (value, nth)))`,
};
