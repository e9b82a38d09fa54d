import { recordsOf } from '../../company/directory/who.ts';

const toThem = `a.workspace_id = $1::bigint and a.status = 'APPROVED'
                      and a.receiver_id in (${recordsOf('$1::bigint', 'before.id')})`;

/**
 * What the person `before` of the workspace $1 has received: how many times, and the latest. A statement that counts people again embeds it. `was.number` is their
 * latest activity when there were `$4` activities; `gifts` counts their gifts. It looks at their shoutouts and at the activities since then alone.
 */
export function recognitionOfPerson(gifts: string): string {
  return `
    select shoutouts.times + (${gifts}) as times, latest.number, latest.created_on as at, latest.type
      from (select count(*) as times, max(a.number) as number from activities a where a.type = 'SHOUTOUT' and ${toThem}) shoutouts
     cross join lateral (select max(a.number) as number from activities a where a.number > $4::bigint and ${toThem}) since
      left join activities latest on latest.workspace_id = $1::bigint
                                 and latest.number = greatest(was.number, shoutouts.number, since.number)`;
}

/** True for a person `alias` of the workspace $1 who has received a shoutout, or has given anything. */
export function hasActivity(alias: string): string {
  const theirs = (column: string) => `a.workspace_id = $1::bigint and a.${column} = ${alias}.id`;
  return `(exists (select from activities a where ${theirs('sender_id')})
           or exists (select from activities a where a.type = 'SHOUTOUT' and ${theirs('receiver_id')}))`;
}
