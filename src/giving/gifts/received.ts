import { recordsOf } from '../../company/directory/who.ts';

/** How many gifts the person `alias` of the workspace $1 has received, also with the records that were merged into theirs. */
export function giftsReceived(alias: string): string {
  return `select count(*) from certificates c
           where c.workspace_id = $1::bigint and c.member_id in (${recordsOf('$1::bigint', `${alias}.id`)})`;
}

/** True for a person `alias` of the workspace $1 who has received a gift. */
export function hasGift(alias: string): string {
  return `exists (select from certificates c where c.workspace_id = $1::bigint and c.member_id = ${alias}.id)`;
}
