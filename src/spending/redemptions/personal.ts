import { erasedBody } from '../../company/workspaces/erased-bodies.ts';
import { ofTheirGift } from '../../giving/gifts/personal.ts';
import {
  because,
  keeps,
  personal,
  type TableOfData,
  technical,
  technicalColumns,
} from '../../ground/values/personal.ts';

const byLaw = 'tax law';
const untilTax = 'until the end of the seventh year after the erasure; of others as long as the workspace';

export const redemptionsData: readonly TableOfData[] = [
  {
    table: 'spending_options',
    holds: 'what gifts can be spent on',
    columns: technicalColumns(
      because.settings,
      'id',
      'kind',
      'name',
      'description',
      'currencies',
      'tax_type',
      'detail',
    ),
  },
  {
    table: 'redemptions',
    holds: 'what was spent of gifts',
    key: [['id', 'bigint']],
    rows: {
      received: ofTheirGift,
      did: `(t.finished_by ->> 'is' = 'USER' and (t.finished_by ->> 'id')::bigint = any($3::bigint[]))`,
    },
    columns: {
      ...technicalColumns(because.settings, 'spending_option', 'spending_option_name', 'retailer'),
      ...technicalColumns(because.word, 'kind', 'tax_type', 'state'),
      idempotency_key: technical('chosen by the caller, who is told to put no personal data in it'),
      body: personal({
        of: ['received'],
        what: 'the request as it was sent',
        why: 'a repeated request is recognized',
        becomes: erasedBody('t.body'),
        kept: keeps.always,
      }),
      detail: personal({
        of: ['received', 'named'],
        what: 'what the recipient asked for, and what a colleague answered',
        why: 'colleagues fulfil the request',
        becomes: `t.detail - '{requestText,note,reference}'::text[]`,
        search: 'replace',
        kept: keeps.always,
      }),
      redeemed_by: personal({
        of: ['received', 'named'],
        what: 'the name of the person at the till',
        why: 'the company can ask',
        becomes: `t.redeemed_by - 'name'`,
        search: 'replace',
        kept: keeps.always,
      }),
      finished_by: personal({
        of: ['received', 'did', 'named'],
        what: 'the name of the person who fulfilled or declined it',
        why: 'the company can ask',
        becomes: `t.finished_by - 'name'`,
        search: 'replace',
        kept: keeps.always,
      }),
    },
  },
  {
    table: 'payroll_exports',
    holds: 'closed payroll files',
    key: [['number', 'bigint']],
    rows: {
      did: `exists (select from audit_log a where a.workspace_id = $1 and a.action = 'payroll.exported' and a.subject_id = t.number::text and a.actor = 'USER' and a.actor_id = any($3::bigint[]))`,
    },
    columns: {
      closed_by: personal({
        of: ['did', 'named'],
        what: 'the name of the person who closed the file',
        why: 'the company can see who did what',
        becomes: 'null',
        search: 'remove',
        kept: keeps.always,
      }),
      header: technical('the names of columns'),
      totals: technical('amounts'),
      hash: technical('a hash of a file'),
      idempotency_key: technical('chosen by the caller, who is told to put no personal data in it'),
    },
  },
  {
    table: 'payroll_lines',
    holds: 'the lines of payroll files',
    columns: {
      text: personal({
        of: ['received'],
        what: 'legal name, address, number and amount, as they were sent to payroll',
        why: 'employers have to prove what they paid and taxed',
        stays: byLaw,
        kept: untilTax,
      }),
    },
  },
  {
    table: 'tax_identities',
    holds: 'names of erased people for the tax log',
    columns: Object.fromEntries(
      [
        ['first_name', 'the legal first name'],
        ['last_name', 'the legal last name'],
        ['employee_number', 'the employee number'],
      ].map(([name = '', what = '']) => [
        name,
        personal({
          of: ['received'],
          what,
          why: 'employers have to prove what they paid and taxed',
          stays: byLaw,
          kept: 'until the end of the seventh year after the erasure',
        }),
      ]),
    ),
  },
];
