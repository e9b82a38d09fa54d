import {
  because,
  keeps,
  personal,
  type TableOfData,
  technical,
  technicalColumns,
} from '../../ground/values/personal.ts';

/** Holds for rows `t` of what a person did with their account, or as an employee without one. */
const byAccount = `(t.actor = 'USER' and t.actor_id = any($3::bigint[]) or t.actor = 'MEMBER' and t.actor_id = any($2::bigint[]))`;

/** Entries about a person, by the id of their record or of their account. */
const aboutPerson = `
  (t.action like 'member.%' and t.subject_id = any(($2::bigint[])::text[])
   or t.action like 'user.%' and t.subject_id = any(($3::bigint[])::text[]))`;

export const workspacesData: readonly TableOfData[] = [
  {
    table: 'accounts',
    holds: 'the companies',
    columns: { name: technical('the name of a company') },
  },
  {
    table: 'workspaces',
    holds: 'the workspaces and their settings',
    columns: {
      ...technicalColumns(
        because.settings,
        'name',
        'language',
        'time_zone',
        'brand_name',
        'brand_colour',
        'brand_logo',
        'brand_logo_type',
      ),
      ...technicalColumns(
        because.settings,
        'gift_sentence',
        'tax_limits',
        'retention',
        'rule_conditions',
        'recipient_caps',
        'erasure_confirmation',
        'employee_access',
        'employee_audience',
      ),
      erasure_key: technical('made of random bits'),
      reply_to: personal({
        of: ['named'],
        what: 'the address that replies to emails go to',
        why: 'recipients can reply to an email',
        stays:
          'it is the address of the company. If it is the person’s own, the preview says so: set another one in Settings',
        kept: keeps.always,
      }),
    },
  },
  {
    table: 'audit_log',
    holds: 'who did what',
    key: [['id', 'bigint']],
    rows: { did: byAccount, described: aboutPerson },
    columns: {
      ...technicalColumns(because.word, 'actor', 'action'),
      actor_name: personal({
        of: ['did', 'named'],
        what: 'the name of the person who did something',
        why: 'the company can see who did what',
        becomes: 'null',
        search: 'remove',
        kept: keeps.audit,
      }),
      subject_id: technical('the id of a record'),
      ...technicalColumns(
        'hashes with random keys, which an erasure replaces',
        'previous',
        'hash',
        'text_key',
        'text_hash',
      ),
      subject_name: personal({
        of: ['described', 'named'],
        what: 'the name of the person about whom something was done',
        why: 'the company can see what was done',
        becomes: 'null',
        search: 'remove',
        kept: keeps.audit,
      }),
      detail: personal({
        of: ['described', 'named'],
        what: 'what was changed',
        why: 'the company can see what was done',
        becomes: `'{}'::jsonb`,
        search: 'replace',
        kept: keeps.audit,
      }),
    },
  },
  {
    table: 'audit_chains',
    holds: 'the end and the beginning of the chain of the audit log',
    columns: technicalColumns(because.hash, 'hash', 'checkpoint_hash'),
  },
  {
    table: 'background_migrations',
    holds: 'how far the background work for a new schema has come',
    columns: technicalColumns('names of work, keys of rows', 'name', 'after_key', 'failure'),
  },
  {
    table: 'retention_runs',
    holds: 'how far the removal by age has come',
    columns: technicalColumns('names of work, keys of rows', 'kind', 'after_key'),
  },
  {
    table: 'seals',
    holds: 'hashes of what decides about money',
    columns: technicalColumns(
      'ids, and hashes of ids, amounts and states',
      'records',
      'keys',
      'hashes',
      'previous',
      'hash',
    ),
  },
];
