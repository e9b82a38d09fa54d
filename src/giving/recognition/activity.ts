import { shownFirstName, shownLastName } from '../../company/directory/names.ts';
import { isSurvivor, survivorOf } from '../../company/directory/who.ts';

/** The workspace, the reason and the text behind an activity, for a statement about the workspace $1 that selects from `activities a`. */
const behindActivity = `
  join workspaces w        on w.id = $1::bigint
  join reasons reason      on reason.workspace_id = $1::bigint
                          and reason.id = coalesce(a.reason_id, w.default_reason_id)
  left join certificates c on c.workspace_id = $1::bigint and c.request_id = a.request_id and c.position = a.position`;

/** The same with its people, `sender` and `receiver`. */
export const activityJoins = `
  join members sent_as     on sent_as.workspace_id = $1::bigint and sent_as.id = a.sender_id
  ${survivingAs('sender', 'sent_as')}
  join members received_as on received_as.workspace_id = $1::bigint and received_as.id = a.receiver_id
  ${survivingAs('receiver', 'received_as')}
  ${behindActivity}`;

/** The same for many activities: the surviving records are looked up for merged people alone. `personOf` reads their columns, or what an expression says of them. */
export const manyActivityJoins = `
  join members sent_as          on sent_as.workspace_id = $1::bigint and sent_as.id = a.sender_id
  left join members sender      on sender.workspace_id = $1::bigint and sender.id = sent_as.merged_into
  join members received_as      on received_as.workspace_id = $1::bigint and received_as.id = a.receiver_id
  left join members receiver    on receiver.workspace_id = $1::bigint and receiver.id = received_as.merged_into
  ${behindActivity}`;

export function personOf(person: 'sender' | 'receiver', column: string | ((alias: string) => string)): string {
  const of = (alias: string) => (typeof column === 'string' ? `${alias}.${column}` : column(alias));
  const record = person === 'sender' ? 'sent_as' : 'received_as';
  return `case when ${isSurvivor(record)} then ${of(record)} else ${of(person)} end`;
}

export const activityText = 'coalesce(a.description, c.message)';
/** A moment as the interface writes it. */
export const momentText = (moment: string) => `to_char(${moment} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US')`;
export const activityMoment = momentText('a.created_on');

/** The fields of an activity record, for json_build_object. `self` is the member behind the calling token. */
export const activityFields = (self: string) => `
  'status', a.status,
  'sender', ${userSummary('sender', self)},
  'receiver', ${userSummary('receiver', self)},
  'createdOn', ${activityMoment},
  'description', ${activityText},
  'reason', json_build_object('id', reason.id, 'description', reason.description),
  'isPrivate', a.is_private,
  'type', a.type,
  'account', w.account_id,
  'team', receiver.team_id`;

/** A member as people see them in a record. */
export const userSummary = (user: string, self: string) => `
  json_build_object(
    'id', ${user}.id,
    'email', coalesce(${user}.email, ''),
    'firstName', ${shownFirstName(user)},
    'lastName', ${shownLastName(user)},
    'avatar', coalesce(${user}.picture_url, ''),
    'the service', coalesce(${user}.picture_url, ''),
    'self', ${user}.id = ${self})`;

/**
 * The surviving record, looked up by its key after the record itself: `offset 0` keeps it apart from the other joins. Joined with them, PostgreSQL
 * compared every sender with every member where statistics were old, which took seconds with 330 members.
 */
function survivingAs(person: string, record: string): string {
  return `cross join lateral (
         select * from members m where m.workspace_id = $1::bigint and m.id = ${survivorOf(record)} offset 0) ${person}`;
}
