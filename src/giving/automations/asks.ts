import { listCustomFields } from '../../company/directory/custom-fields.ts';
import { shownName } from '../../company/directory/names.ts';
import { survivorOf } from '../../company/directory/who.ts';
import type { AutomationTerms } from '../../ground/contract/automation.ts';
import type { OccurrenceState } from '../../ground/contract/occurrence.ts';
import type { Queryable } from '../../ground/database/database.ts';
import type { CustomField } from '../../ground/values/custom-field.ts';
import { amountByYears } from './occasions.ts';
import { type Person, peopleSql, placeholderValuesOf } from './people.ts';
import { languageOf, renderMessage } from './placeholders.ts';

/** What an email to a manager and its page say about an occurrence. */
export interface Ask {
  occurrenceId: number;
  automationId: number;
  automationName: string;
  trigger: AutomationTerms['trigger'];
  reasonId: number | null;
  state: OccurrenceState;
  personId: number;
  person: string;
  email: string | null;
  employeeNumber: string | null;
  years: number | null;
  /** The day that is celebrated. */
  forDay: string;
  dueAt: Date;
  /** The message as it goes out, without the line. */
  message: string;
  /** Whose name the person reads; null: the company's. */
  from: string | null;
  gift: { amount: number; currency: string } | null;
  line: string | null;
  /** The manager as the directory has it now. */
  managerId: number | null;
  /** Whether the manager gave a shoutout from it. */
  isUsed: boolean;
}

/** The occurrences as they are now, those that go out first at the beginning. One whose date was corrected away is not among them. */
export async function readAsks(on: Queryable, workspaceId: number, occurrenceIds: readonly number[]): Promise<Ask[]> {
  const rows = await on.query<Row>(asksSql, [workspaceId, occurrenceIds]);
  const people = await on.query<Person>(peopleSql('m.id = any($2::bigint[])'), [
    workspaceId,
    rows.map(({ personId }) => personId),
  ]);
  const customFields = await listCustomFields(on, workspaceId);
  const byId = new Map(people.map((person) => [person.id, person]));
  return rows.flatMap((row) => {
    const person = byId.get(row.personId);
    return person ? [askOf(row, person, customFields)] : [];
  });
}

interface Row
  extends Pick<
    Ask,
    | 'occurrenceId'
    | 'automationId'
    | 'state'
    | 'personId'
    | 'email'
    | 'employeeNumber'
    | 'years'
    | 'forDay'
    | 'dueAt'
    | 'line'
    | 'isUsed'
  > {
  terms: AutomationTerms;
  message: string | null;
  amount: number | null;
  currency: string | null;
  senderName: string | null;
  company: string;
  language: string;
}

function askOf(row: Row, person: Person, customFields: CustomField[]): Ask {
  const {
    terms,
    message,
    amount: _amount,
    currency: _currency,
    senderName,
    company: _company,
    language: _language,
    ...ask
  } = row;
  const from = { COMPANY: null, MANAGER: person.managerName, MEMBER: senderName }[terms.from.is];
  return {
    ...ask,
    automationName: terms.name,
    trigger: terms.trigger,
    reasonId: terms.action.reasonId ?? null,
    person: `${person.firstName} ${person.lastName}`.trim() || (row.email ?? ''),
    message: message ?? messageOf(row, person, customFields),
    from,
    gift: giftOf(row),
    managerId: person.managerId,
  };
}

/** The row has the amount when it goes out. */
function giftOf({ terms: { action }, amount, currency, years }: Row): Ask['gift'] {
  const planned = { amount: amount ?? amountByYears(action, years), currency: currency ?? action.currency };
  return action.is === 'GIFT' && planned.amount !== null && planned.currency !== undefined
    ? { amount: planned.amount, currency: planned.currency }
    : null;
}

function messageOf(
  { terms, years, company, language: workspaces }: Row,
  person: Person,
  customFields: CustomField[],
): string {
  const language = languageOf(terms.messages, person.language, workspaces);
  if (language === null) return '';
  const values = placeholderValuesOf(person, { years, language, company, customFields });
  return renderMessage(terms.messages[language] ?? '', values, terms.missing);
}

const asksSql = `
  select o.id as "occurrenceId", o.automation_id as "automationId", a.terms, o.state, m.id as "personId", m.email,
         m.employee_number as "employeeNumber", o.years, o.for_day::text as "forDay", o.due_at as "dueAt", o.message,
         o.amount::float8 as amount, o.currency, o.line, o.shoutout_number is not null as "isUsed", w.name as company, w.language,
         sender.name as "senderName"
    from occurrences o
    join automations a  on a.workspace_id = o.workspace_id and a.id = o.automation_id
    join workspaces w   on w.id = o.workspace_id
    join members person on person.workspace_id = o.workspace_id and person.id = o.member_id
    join members m      on m.workspace_id = o.workspace_id and m.id = ${survivorOf('person')}
    left join lateral (select ${shownName('s')} as name
                         from members s
                        where s.workspace_id = o.workspace_id
                          and s.id = (a.terms #>> '{from,memberId}')::bigint
                          and s.id <> m.id) sender on true
   where o.workspace_id = $1
     and o.id = any($2::bigint[])
   order by o.due_at, o.id`;
