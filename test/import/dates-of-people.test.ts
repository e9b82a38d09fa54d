import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDateFormat } from '../../src/ground/sheets/dates.ts';
import { openImports } from '../support/imports.ts';
import { startService } from '../support/service.ts';

const service = await startService();

const stored = `
  select hired_on::text as "hireDate", birthday, own_language as language, own_time_zone as "timeZone", country, phone_number as phone
    from members where workspace_id = $1 and not is_integration order by id`;

const expected = {
  hireDate: '2024-03-01',
  birthday: '05-17',
  language: 'FR_CA',
  timeZone: 'America/Toronto',
  country: 'CA',
  phone: '+1 416 555 0142',
};

/** The headers and forms of what HR systems export. */
const files: Record<string, [header: string, row: string]> = {
  Workday: [
    'Primary Work Email,Original Hire Date,Date of Birth,Preferred Language,Time Zone,Country,Primary Work Phone',
    'ada@example.com,2024-03-01,1990-05-17,French (Canada),America/Toronto,Canada,+1 416 555 0142',
  ],
  BambooHR: [
    'Work Email,Hire Date,Birth Date,Language,Timezone,Country,Work Phone',
    'ada@example.com,01 Mar 2024,17 May,fr-CA,America/Toronto,Canada,+1 416 555 0142',
  ],
  SuccessFactors: [
    'Business Email Information Email Address,Hire Date,Date Of Birth,Default Locale,Time Zone,Country/Region,Business Phone Information Phone Number',
    'ada@example.com,2024-03-01,17-May-1990,fr_CA,America/Toronto,CAN,+1 416 555 0142',
  ],
  Personio: [
    'E-Mail,Eintrittsdatum,Geburtstag,Sprache,Zeitzone,Land,Telefon',
    'ada@example.com,01.03.2024,17.05.1990,Französisch (Kanada),America/Toronto,Kanada,+1 416 555 0142',
  ],
  ADP: [
    'Work Contact: Work Email,Hire Date,Birth Date,Correspondence Language,Time Zone,Work Location Country,Work Contact: Work Phone',
    'ada@example.com,03/01/2024,05/17/1990,fr_CA,America/Toronto,CA,+1 416 555 0142',
  ],
};

for (const [system, [header, row]] of Object.entries(files))
  test(`a file of ${system} says the dates, the language, the time zone, the country and the phone number`, async () => {
    const { workspaceId, take } = await openImports(service);
    const dateFormat = system === 'ADP' ? parseDateFormat('MM/DD/YYYY') : undefined;
    const outcome = await take(`${header}\n${row}\n`, { dateFormat });
    assert.deepEqual([outcome.counts, outcome.notUnderstood, outcome.reasons], [[1, 0, 0, 0], [], []]);
    assert.deepEqual(await service.database.query(stored, [workspaceId]), [expected]);
    const again = await take(`${header}\n${row}\n`, { dateFormat });
    assert.deepEqual(again.counts, [0, 0, 1, 0], 'the same file changes nothing');
  });

test('headers that say that a year is left out, or that a name was chosen, are understood', async () => {
  const { workspaceId, take } = await openImports(service);
  const file = `Work Email,Birthday (Month/Day),Preferred or Chosen First Name,Biz Phone
ada@example.com,05/17,Addie,+1 416 555 0142
`;
  const { notUnderstood, counts } = await take(file);
  assert.deepEqual([counts, notUnderstood], [[1, 0, 0, 0], []]);
  const rows = await service.database.query(
    'select birthday, preferred_name as name, phone_number as phone from members where workspace_id = $1 and not is_integration',
    [workspaceId],
  );
  assert.deepEqual(rows, [{ birthday: '05-17', name: 'Addie', phone: '+1 416 555 0142' }]);
});

test('a dry run shows the first values of each column as they would be stored, and an import stores none of them', async () => {
  const { take } = await openImports(service);
  const file = `Work Email,Employee Name,Hire Date,Date of Birth,Status,Team,Shirt
ada@example.com,Ada King,03/23/2016,04/22/1968,Active,Blue,M
li@example.com,Li Wu,10/06/2019,,Terminated,,L
kim@example.com,Kim Lee,10/06/2019,02/29/1988,Active,Blue,S
sam@example.com,Sam Roy,10/06/2019,12/31/1971,Active,Red,S
max@example.com,Max Day,the fifth,11/15/1967,Active,Red,S
`;
  const dateFormat = parseDateFormat('MM/DD/YYYY');
  const { values, rejected } = await take(file, { isDryRun: true, dateFormat });
  assert.equal(rejected, 1);
  const seen = Object.fromEntries(values.map(({ field, rows, examples }) => [field, [rows, ...examples]]));
  assert.deepEqual(seen, {
    email: [4, 'ada@example.com', 'li@example.com', 'kim@example.com'],
    fullName: [4, 'Ada King', 'Li Wu', 'Kim Lee'],
    hireDate: [4, '2016-03-23', '2019-10-06'],
    birthday: [3, '04-22', '02-29', '12-31'],
    status: [4, 'active', 'left'],
    team: [3, 'Blue', 'Red'],
  });
  assert.deepEqual((await take(file, { dateFormat })).values, []);
});

test('a row says why a birthday, a language, a zone or a country is not understood', async () => {
  const { take } = await openImports(service);
  const { reasons } = await take(`email,birthday,language,timeZone,country
ada@example.com,03/04/1990,,,
li@example.com,the 5th,Klingon,Mars/Olympus,Atlantis
`);
  assert.match(String(reasons[0]), /birthday "03\/04\/1990" /);
  assert.match(String(reasons[1]), /birthday "the 5th"/);
  for (const name of ['language must be a language', 'timeZone must be a time zone', 'country must be a country'])
    assert.match(String(reasons[1]), new RegExp(name));
});
