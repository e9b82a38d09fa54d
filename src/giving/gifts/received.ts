import { recordsOf } from '../../company/directory/who.ts';

/** How many gifts the person `alias` of `members` has received, also with the records that were merged into theirs. */
export function giftsReceived(alias: string): string {
  return `select count(*) from certificates c
           where c.workspace_id = ${alias}.workspace_id and c.member_id in (${recordsOf(`${alias}.workspace_id`, `${alias}.id`)})`;
}

/** True for a person `alias` of `members` who has received a gift. */
export function hasGift(alias: string): string {
  return `exists (select from certificates c where c.workspace_id = ${alias}.workspace_id and c.member_id = ${alias}.id)`;
}
