import { type AudienceMember, audienceFields } from '../../company/directory/audience.ts';
import { selectFields } from '../../company/directory/columns.ts';
import { customOf } from '../../company/directory/custom-fields.ts';
import { keptOutRecords } from '../../company/directory/kept-out.ts';
import { lastRecognizedOn } from '../../company/directory/last-recognition.ts';
import { shownFirstName, shownLastName } from '../../company/directory/names.ts';
import { hasLeft, isPerson, survivorOf } from '../../company/directory/who.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { type CustomField, customText } from '../../ground/values/custom-field.ts';
import type { PersonDates } from './occasions.ts';
import type { PlaceholderValues } from './placeholders.ts';

/** What automations read about a person. */
export interface Person extends PersonDates, AudienceMember {
  id: number;
  firstName: string;
  lastName: string;
  hasEmail: boolean;
  /** As FR_CA. */
  language: string | null;
  /** Their own; null: the workspace's counts. */
  timeZone: string | null;
  /** The team that they joined last; null for the one that everyone is in. */
  team: string | null;
  /** Null if the manager has left. */
  managerId: number | null;
  managerName: string | null;
  /** Whether an email can reach a manager other than themselves. */
  hasManagerEmail: boolean;
  hasLeft: boolean;
  /** Whether they are kept out of automations. */
  isKeptOut: boolean;
  /** The last day of a person who will leave. */
  leavesOn: string | null;
  /** A leave; one end alone leaves the other open. */
  leaveStartsOn: string | null;
  leaveEndsOn: string | null;
  /** BIRTHDAY, ANNIVERSARY or BOTH: days that colleagues are not told about. */
  hiddenDays: string | null;
}

export function isOnLeave(
  { leaveStartsOn, leaveEndsOn }: Pick<Person, 'leaveStartsOn' | 'leaveEndsOn'>,
  day: string,
): boolean {
  if (leaveStartsOn === null && leaveEndsOn === null) return false;
  return (leaveStartsOn ?? day) <= day && day <= (leaveEndsOn ?? day);
}

/**
 * The people of the workspace $1 to whom a condition on the record `m` applies, in the order of their ids. Merged records and integrations are no
 * people.
 */
export function peopleSql(condition = 'true'): string {
  return `
    select m.id, ${shownFirstName('m')} as "firstName", ${shownLastName('m')} as "lastName",
           m.email is not null as "hasEmail", m.employee_number is not null as "hasNumber", m.birthday, m.hired_on as "hireDate", ${lastRecognizedOn('m')} as "lastRecognizedOn",
           ${selectFields('m', audienceFields)},
           m.own_language as language, m.own_time_zone as "timeZone",
           case when m.team_id <> w.default_team_id then t.name end as team,
           array(select tm.team_id::float8 from team_members tm
                  where tm.workspace_id = $1 and tm.member_id = m.id) || m.team_id::float8 as "teamIds",
           array(select x.id::float8 from members x
                  where x.workspace_id = $1 and x.merged_into = m.id) || m.id::float8 as "recordIds",
           boss.id as "managerId", ${shownFirstName('boss')} || ' ' || ${shownLastName('boss')} as "managerName",
           coalesce(boss.id <> m.id and boss.email <> '', false) as "hasManagerEmail",
           ${hasLeft('m')} as "hasLeft", m.id in (${keptOutRecords('$1')}) as "isKeptOut", m.leaves_on as "leavesOn",
           m.leave_starts_on as "leaveStartsOn", m.leave_ends_on as "leaveEndsOn", m.hidden_days as "hiddenDays", 
           coalesce(${customOf('m')}, '{}') as custom
      from members m
      join workspaces w on w.id = m.workspace_id
      left join teams t on t.workspace_id = $1 and t.id = m.team_id
      left join members named on named.workspace_id = $1 and named.id = m.manager_id
      left join members boss on boss.workspace_id = $1 and boss.id = ${survivorOf('named')} and not ${hasLeft('boss')}
     where m.workspace_id = $1
       and ${isPerson('m')}
       and ${condition}
     order by m.id`;
}

export function readEveryone(on: Queryable, workspaceId: number): Promise<Person[]> {
  return on.query<Person>(peopleSql(), [workspaceId]);
}

/** What messages are written with: the name of the company, and the custom fields that it has. */
export interface MessageScene {
  company: string;
  customFields: readonly CustomField[];
}

/** What the placeholders of a message stand for, as its language writes it: 10 years, 10 ans; 5 January 2027, 5 janvier 2027. */
export function placeholderValuesOf(
  person: Pick<Person, 'firstName' | 'lastName' | 'team' | 'custom'>,
  { years, language, company, customFields }: MessageScene & { years: number | null; language: string },
): PlaceholderValues {
  const locale = language.toLowerCase();
  const custom = customFields.map(({ key }) => [key, customText(customFields, person.custom, key, locale)]);
  return {
    ...Object.fromEntries(custom),
    firstName: person.firstName,
    lastName: person.lastName,
    team: person.team,
    company,
    years: years === null ? null : yearsIn(language).format(years),
  };
}

const formats = new Map<string, Intl.NumberFormat>();

function yearsIn(language: string): Intl.NumberFormat {
  let format = formats.get(language);
  if (!format) {
    format = new Intl.NumberFormat(language.toLowerCase(), { style: 'unit', unit: 'year', unitDisplay: 'long' });
    formats.set(language, format);
  }
  return format;
}
