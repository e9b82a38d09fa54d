import { memberFieldNames, memberFields } from '../../ground/values/member.ts';
import {
  because,
  keeps,
  type PersonalColumn,
  personal,
  type TableOfData,
  technical,
  technicalColumns,
} from '../../ground/values/personal.ts';

const whoTheyAre = 'gifts and shoutouts reach the right person, and people see who they are from';
const ofRecord = 't.member_id = any($2::bigint[])';

const fieldTexts: Readonly<Record<string, string>> = {
  picture_url: 'the URL of the picture',
  user_name: 'the login at the identity provider',
  external_id: 'the id at the identity provider',
  manager_reference: 'the address or number of a manager who is not known yet',
  birthday: 'month and day of the birthday, without the year',
  hidden_days: 'which of their days colleagues are not told about',
};

/** Fields that are personal go. The others (department, cost centre, country …) stay, so that the totals of reports stay as they are. */
const ofFields = Object.fromEntries(
  memberFieldNames.flatMap((name) => {
    const { column, kind, isPersonal } = memberFields[name];
    if (isTyped(kind)) return [];
    if (isPersonal === false)
      return [[column, technical('says little about one person: reports count by it, also after a person was erased')]];
    return [[column, fieldOf(column)]];
  }),
);

/** Dates and ids are in columns of their types, which this list is not about. members.ts removes them too. */
function isTyped(kind: string): boolean {
  return kind === 'date' || kind === 'member';
}

function fieldOf(column: string): PersonalColumn {
  return personal({
    of: column === 'manager_reference' ? ['described', 'named'] : ['described'],
    what: fieldTexts[column] ?? column.replaceAll('_', ' '),
    why: whoTheyAre,
    erasedBy: 'removed',
    ...(column === 'manager_reference' && { search: 'remove' as const }),
    kept: keeps.person,
  });
}

export const directoryData: readonly TableOfData[] = [
  {
    table: 'members',
    holds: 'the people of a workspace',
    key: [['id', 'bigint']],
    rows: { described: 't.id = any($2::bigint[])' },
    columns: {
      ...ofFields,
      email_key: fieldOf('email_key'),
      custom: personal({
        of: ['described', 'named'],
        what: 'the values of the company’s own fields',
        why: 'the company sorts and filters people by them',
        erasedBy: 'removed',
        search: 'replaceFull',
        kept: keeps.person,
      }),
      last_recognized_by: technical(because.word),
    },
  },
  {
    table: 'former_addresses',
    holds: 'earlier addresses and logins, which still identify people',
    rows: { described: ofRecord },
    goes: ['described'],
    columns: {
      email_key: personal({
        of: ['described'],
        what: 'an earlier address or login',
        why: whoTheyAre,
        kept: keeps.person,
      }),
    },
  },
  {
    table: 'member_emails',
    holds: 'further email addresses, as SCIM lists them',
    rows: { described: ofRecord },
    goes: ['described'],
    columns: {
      value: personal({ of: ['described'], what: 'a further address', why: whoTheyAre, kept: keeps.person }),
      type: technical(because.word),
    },
  },
  {
    table: 'member_texts',
    holds: 'what the search reads of people',
    columns: {
      text: personal({
        of: ['described'],
        what: 'names, address and number in lower case',
        why: 'people are found by a part of their name',
        erasedBy: 'removed with the record that it is made of',
        kept: keeps.person,
      }),
    },
  },
  {
    table: 'erased_marks',
    holds: 'hashes that tell erased people from new ones',
    columns: {
      mark: personal({
        of: ['described'],
        what: 'a keyed hash of an address, a number or an id at the identity provider',
        why: 'an old file or a repeated directory sync does not bring an erased person back',
        stays:
          'it is no name and no address: it only answers whether a given address was erased, with the address and the key of the workspace',
        kept: keeps.always,
      }),
    },
  },
  {
    table: 'legal_holds',
    holds: 'people whose data must not be erased',
    key: [['member_id', 'bigint']],
    rows: { described: ofRecord },
    goes: ['described'],
    columns: {
      reason: personal({
        of: ['described', 'named'],
        what: 'why the data is kept',
        why: 'the company proves that it must not erase it',
        search: 'replace',
        kept: 'until the hold is released',
      }),
      placed_by: technical('the kind and the id of a user or a token, without a name'),
    },
  },
  {
    table: 'kept_out_members',
    holds: 'people who are kept out of reports about individuals',
    key: [['member_id', 'bigint']],
    rows: { described: ofRecord },
    goes: ['described'],
    columns: {
      reason: personal({
        of: ['described', 'named'],
        what: 'why the company keeps the person out',
        why: 'people can object to reports about them',
        search: 'replace',
        kept: 'until it is lifted',
      }),
      decided_by: technical('the kind and the id of a user or a token, without a name'),
    },
  },
  {
    table: 'member_preferences',
    holds: 'which emails people have chosen',
    rows: { described: ofRecord },
    goes: ['described'],
    columns: {},
  },
  {
    table: 'custom_fields',
    holds: 'which fields a workspace has defined',
    columns: technicalColumns('names of fields and their choices', 'key', 'label', 'kind', 'choices'),
  },
  {
    table: 'teams',
    holds: 'the teams',
    columns: technicalColumns('the name and the id of a team', 'name', 'external_id'),
  },
];
