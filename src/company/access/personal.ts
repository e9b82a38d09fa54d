import {
  because,
  keeps,
  personal,
  type TableOfData,
  technical,
  technicalColumns,
} from '../../ground/values/personal.ts';

const whoSignsIn = 'people sign in to the console, and see who else does';

const ofRecord = 't.member_id = any($2::bigint[])';

/** Requests of an account, and those of an employee without one. */
const ofCaller =
  '(t.caller_id = any($3::bigint[]) or t.caller_id = any(array(select -record.id from unnest($2::bigint[]) as record (id))))';

const isRemoved = 'it is removed 30 days later at the latest, and opens nothing without the rows of `session_members`';

const ofLink = personal({
  of: ['did'],
  what: 'the email address that a sign-in link was sent to',
  why: 'the link proves that its person reads the emails to this address',
  stays: isRemoved,
  kept: 'until 30 days after the link has expired',
});

export const accessData: readonly TableOfData[] = [
  {
    table: 'api_tokens',
    holds: 'tokens of programs',
    columns: {
      name: personal({
        of: ['named'],
        what: 'the name that a token was given',
        why: 'the company can see which program did what',
        stays: 'a token is named after a program. Rename one that is named after a person',
        kept: keeps.always,
      }),
      ...technicalColumns('made of random bits', 'hash', 'hint'),
      scopes: technical(because.word),
    },
  },
  {
    table: 'api_token_workspaces',
    holds: 'the workspaces of tokens',
    columns: { requests: technical('counts') },
  },
  {
    table: 'request_keys',
    holds: 'Idempotency-Keys with their responses',
    key: [
      ['caller_id', 'bigint'],
      ['key', 'text'],
    ],
    rows: { did: ofCaller },
    goes: ['did'],
    columns: {
      key: technical('chosen by the caller, who is told to put no personal data in it'),
      operation: technical(because.word),
      fingerprint: technical('a hash of a request, for 30 days'),
      response: personal({
        of: ['did', 'named'],
        what: 'the response to a request',
        why: 'a repeated request gets the response of the first',
        search: 'remove',
        kept: '30 days',
      }),
    },
  },
  {
    table: 'sessions',
    holds: 'sign-ins',
    columns: {
      email_key: personal({
        of: ['did'],
        what: 'the email address that a sign-in has shown',
        why: 'a session opens the records of this address, and no others',
        stays: isRemoved,
        kept: 'until 30 days after the session has ended',
      }),
      oidc_subject: personal({
        of: ['did'],
        what: 'the id of the person at the OpenID provider',
        why: 'a session opens the records of this person, and no others',
        stays: isRemoved,
        kept: 'until 30 days after the session has ended',
      }),
      hash: technical('made of random bits'),
      way: technical(because.word),
      browser: personal({
        of: ['did'],
        what: 'the browser that someone signed in with',
        why: 'people recognize their own sessions and end others',
        erasedBy: 'it goes with the account',
        kept: 'until a day after the session has ended',
      }),
    },
  },
  {
    table: 'sign_in_attempts',
    holds: 'attempts to sign in',
    columns: {
      key: personal({
        of: ['did'],
        what: 'a hash of the address or the IP address of the caller',
        why: 'passwords cannot be guessed',
        stays: 'it is removed within a day anyway',
        kept: 'a day',
      }),
    },
  },
  {
    table: 'sign_in_links',
    holds: 'links to sign in',
    columns: { hash: technical('made of random bits'), email_key: ofLink },
  },
  {
    table: 'employee_links',
    holds: 'links with which employees sign in',
    columns: { hash: technical('made of random bits'), email_key: ofLink },
  },
  {
    table: 'session_members',
    holds: 'as whom employees are signed in',
    rows: { did: ofRecord },
    goes: ['did'],
    columns: {},
  },
  {
    table: 'kiosk_codes',
    holds: 'codes with which people sign in at a kiosk',
    rows: { did: ofRecord },
    goes: ['did'],
    columns: { hash: technical('a hash of random digits, made with a key') },
  },
  {
    table: 'user_roles',
    holds: 'the roles of users',
    columns: { role: technical(because.word) },
  },
  {
    table: 'users',
    holds: 'accounts of people who sign in to the console',
    columns: Object.fromEntries([
      ...[
        ['email', 'the email address of the account'],
        ['name', 'the name of the account'],
        ['language', 'the language of the console'],
        ['password', 'a hash of the password'],
        ['oidc_issuer', 'which OpenID provider knows the person'],
        ['oidc_subject', 'the id of the person there'],
      ].map(([name = '', what = '']) => [
        name,
        personal({
          of: ['did'],
          what,
          why: whoSignsIn,
          erasedBy: 'the account goes, unless it has a role in another workspace',
          kept: 'until the account has no role, or the person is erased',
        }),
      ]),
    ]),
  },
];
