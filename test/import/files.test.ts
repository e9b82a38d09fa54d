import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importMembers } from '../../src/company/import/import.ts';
import { managerKeys } from '../../src/company/import/manager-keys.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { Failure } from '../../src/ground/errors.ts';
import { openImports, pick } from '../support/imports.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;

test('a file as an HR system writes it is understood', async () => {
  const { take, list } = await openImports(service);
  const { counts, columns, notUnderstood, superseded } = await take(
    [
      'Employee #;"Legal First Name";LAST_NAME;Work Email;Email;Home Department Description;Supervisor email;Status;Shoe size;Shirt size;',
      '7;Ada;Lovelace;Ada@Example.com;ada@home.example;Research;grace@example.com;Active;1;S;',
      '8;Grace;Hopper;grace@example.com;;"Navy; and\r\nmore";;On leave;2;M;',
      '',
      ';;;;;;;;;;',
      '9;Alan;Turing;;;;8;Terminated;;;',
      '',
    ].join('\r\n'),
  );
  assert.deepEqual(counts, [3, 0, 0, 0]);
  assert.deepEqual(columns, {
    email: 'Work Email',
    employeeNumber: 'Employee #',
    firstName: 'Legal First Name',
    lastName: 'LAST_NAME',
    department: 'Home Department Description',
    manager: 'Supervisor email',
    status: 'Status',
  });
  assert.deepEqual(notUnderstood, ['Shoe size', 'Shirt size']);
  assert.deepEqual(superseded, ['Email']);
  assert.deepEqual(pick(await list(), 'email', 'number', 'name', 'department', 'manager', 'active'), [
    ['Ada@Example.com', '7', 'Ada/Lovelace', 'Research', 'grace@example.com', true],
    ['grace@example.com', '8', 'Grace/Hopper', 'Navy; and\r\nmore', null, true],
    [null, '9', 'Alan/Turing', null, 'grace@example.com', false],
  ]);
});

test('headers of the systems that companies have are known', async () => {
  const headers: Record<string, string> = {
    BambooHR: 'Employee #,First Name,Last Name,Work Email,Department,Location,Supervisor EID,Status,Termination Date',
    Workday:
      'Employee_ID,Legal Name - First Name,Legal Name - Last Name,Email - Primary Work,Cost Center,Location,Manager_ID,Active Status',
    SuccessFactors: 'STATUS,USERID,FIRSTNAME,LASTNAME,EMAIL,MANAGER,DEPARTMENT,LOCATION',
    ADP: 'Associate ID,Legal First Name,Legal Last Name,Work Contact: Work Email,Home Department Description,Location Description,Reports To Associate ID,Position Status',
    Personio:
      'Personnel number,First name,Last name,Email,Department,Office,Cost center,Supervisor email,Team,Status,Last working day',
    Entra: 'userPrincipalName,surname,mail,givenName,department,accountEnabled,officeLocation,employeeId',
    Google:
      'First Name [Required],Last Name [Required],Email Address [Required],Employee ID,Department,Cost Center,Manager Email,Status [READ ONLY]',
    HiBob: 'Employee ID,First name,Last name,Email,Department,Site,Reports to email,Lifecycle status,Termination date',
    Oracle:
      'PersonNumber,FirstName,LastName,WorkEmail,DepartmentName,LocationName,ManagerPersonNumber,AssignmentStatusType,ActualTerminationDate',
    Paylocity: 'Employee Id,First Name,Last Name,Work Email,Cost Center 1,Supervisor Id,Status,Term Date',
    UKG: 'EmpNo,FirstName,LastName,EmailAddress,Department,Location,SupervisorEmpNo,EmployeeStatus,TerminationDate',
    French:
      'Matricule,Prénom,Nom,Adresse e-mail professionnelle,Service,Centre de coût,Lieu de travail,Matricule du responsable,Statut,Date de sortie',
    Spanish:
      'Número de empleado,Nombre,Apellidos,Correo electrónico,Departamento,Centro de coste,Estado del empleado,Fecha de baja',
    Okta: 'login,firstName,lastName,email,employeeNumber,costCenter,department,managerId,status,city',
  };
  const { take } = await openImports(service);
  for (const [system, header] of Object.entries(headers)) {
    const { notUnderstood, columns } = await take(`${header}\n`);
    assert.deepEqual(notUnderstood, [], system);
    for (const field of ['email', 'employeeNumber', 'firstName', 'lastName'] as const)
      assert.ok(columns[field], `${system}: ${field}`);
    assert.ok(columns.active ?? columns.status, `${system}: active or status`);
  }
});

test('a full name is split where first and last name are missing', async () => {
  const { take, list } = await openImports(service);
  await take(
    'Display name,Email\nAda King Lovelace,a@example.com\n"Hopper, Grace",b@example.com\nPrince,c@example.com\n',
  );
  assert.deepEqual(pick(await list(), 'name'), [['Ada King/Lovelace'], ['Grace/Hopper'], ['Prince/']]);
  const { superseded } = await take('Name,First name,Email\nX Y,Ada,a@example.com\n');
  assert.deepEqual(superseded, ['Name']);
  assert.deepEqual(pick((await list()).slice(0, 1), 'name'), [['Ada/Lovelace']]);
});

test('a stray quote that a later line closes rejects these two rows, and none between them', async () => {
  const { take, list } = await openImports(service, 'email\n');
  const { reasons } = await take(
    [
      'email,firstName', // 1
      'a@example.com,"Ada', // 2
      'b@example.com,Bo', // 3
      'c@example.com,Cy",more', // 4
      'd@example.com,Di', // 5
    ].join('\n'),
  );
  assert.deepEqual(reasons, ['2: a quote is opened and never closed', '4: a quote is opened and never closed']);
  assert.deepEqual(pick(await list(), 'email'), [['b@example.com'], ['d@example.com']]);
});

test('every rejected row is listed with its line and reason, and the others are imported', async () => {
  const { workspaceId, take, list } = await openImports(service, 'email,employeeNumber\nada@example.com,1\n,2\n');
  const [ada, two] = pick(await list(), 'id').flat();
  const { counts, withoutManager, reasons, file } = await take(
    [
      'email,employeeNumber,firstName,department,currency,pictureUrl,active,team,manager', // 1
      'ok@example.com,10,Olive,"line one', // 2
      'line two",CAD,,true,Blue,', // 3
      'no address,,,,,,,,', // 4
      ',,Nobody,,,,,,', // 5
      'a@example.com,11,A,,Dollars,,,,', // 6
      'b@example.com,12,B,,,ftp://example.com/b.png,,,', // 7
      'c@example.com,13,C,,,,maybe,,', // 8
      `d@example.com,14,D,,,,,${'x'.repeat(201)},`, // 9
      'e@example.com,15,E,,,,,,,,', // 10
      'OK@example.com,,Again,,,,,,', // 11
      ',10,Again,,,,,,', // 12
      'ada@example.com,2,Both,,,,,,', // 13
      'f@example.com,16,"F" x,,,,,,', // 14
      'g@example.com,17,G"g,,,,,,', // 15
      'h@example.com,18,"Never closed,,,,,,', // 16
      'i@example.com,19,I,"quoted",,,,,', // 17
      'j@example.com,20,J,,,,,,nobody@example.com', // 18
      'k@example.com,21,K,,,,,,K@example.com', // 19
      'l@example.com,22,L,"a ""b"" c",,,,,', // 20
      'm@example.com,23', // 21
      'n@example.com,24,"N,,,,,,', // 22
    ].join('\n'),
  );
  assert.deepEqual(reasons, [
    '4: email must be an e-mail address',
    '5: there is neither an email nor an employeeNumber',
    '6: currency must have at most 3 characters',
    '7: pictureUrl must be an http or https URL',
    '8: active "maybe" is not understood: write true or false, or say what it means with --status "maybe=active" or --status "maybe=left"',
    '9: team must be text of at most 200 characters',
    '10: the row has 11 cells, and the header only 9',
    '11: this is the person of line 2 again, and says something else',
    '12: this is the person of line 2 again, and says something else',
    `13: email identifies member ${ada} and employeeNumber identifies member ${two}: if they are one person, run "giftwire member merge id:${two} id:${ada} --workspace ${workspaceId}"`,
    '14: a quote stands where none may be',
    '15: a quote is opened and never closed',
    '16: a quote is opened and never closed',
    '18: the manager "nobody@example.com" is not known: the rest of the row was taken',
    '19: the manager "K@example.com" is the person of this row: the rest of it was taken',
    '22: a quote is opened and never closed',
  ]);
  assert.deepEqual(counts, [6, 0, 0, 14]);
  assert.equal(withoutManager, 2);
  assert.deepEqual(pick((await list()).slice(2), 'number', 'department'), [
    ['10', 'line one\nline two'],
    ['19', 'quoted'],
    ['20', null],
    ['21', null],
    ['22', 'a "b" c'],
    ['23', null],
  ]);

  const mended = file
    .replaceAll('Dollars', 'USD')
    .replaceAll('ftp:', 'https:')
    .replaceAll('maybe', 'former')
    .replaceAll('nobody@', 'ada@');
  const again = await take(mended);
  assert.deepEqual(again.notUnderstood, [], 'line and reason are no columns of a person');
  assert.deepEqual(again.counts.slice(0, 2), [3, 2]);
  assert.deepEqual(
    again.reasons.map((reason) => reason.replace(/^\d+: /, '')).filter((reason) => /quote|cells/.test(reason)),
    ['11', '10', '10', '10', '10'].map((count) => `the row has ${Number(count) + 2} cells, and the header only 11`),
    'what nobody has mended stays bad',
  );
  assert.match(again.file, /^line,reason,email,employeeNumber,firstName/);
  const byNumber = new Map((await list()).map((row) => [row.number, row]));
  assert.equal(byNumber.get('20')?.manager, 'ada@example.com');
  assert.equal(byNumber.get('13')?.active, false);
});

test('cells that a spreadsheet has marked or damaged are read as they were meant, or rejected', async () => {
  const { take, list } = await openImports(service, 'employeeNumber,firstName\n00044,Ada\n');
  const { counts, reasons } = await take(
    [
      'email,employeeNumber,firstName,lastName,department', // 1
      ',="00044",#N/A,Okafor,-', // 2
      "–,'00045,Mei,TBD,", // 3
      'n/a,1.23457E+11,Bo,,', // 4
      '-,#REF!,Nobody,,', // 5
      'null@example.com,NULL,Jennifer,Null,', // 6
    ].join('\n'),
  );
  assert.deepEqual(counts, [2, 1, 0, 2]);
  assert.deepEqual(reasons, [
    '4: employeeNumber was shortened by a spreadsheet and has lost digits: format its column as text, and write the number again',
    '5: there is neither an email nor an employeeNumber',
  ]);
  assert.deepEqual(pick(await list(), 'email', 'number', 'name'), [
    [null, '00044', 'Ada/Okafor'],
    [null, '00045', 'Mei/'],
    ['null@example.com', null, 'Jennifer/Null'],
  ]);
});

test('files may have any common encoding and delimiter', async () => {
  const text = 'email;firstName\r\na@example.com;Zoë\r\n';
  const files: [Uint8Array, string?][] = [
    [Buffer.from(`\ufeff${text}`)],
    [Buffer.from(`\ufeff${text}`, 'utf16le')],
    [Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    [Buffer.from(text, 'latin1'), 'windows-1252'],
    [Buffer.from(text.replaceAll(';', '\t').replaceAll('\r\n', '\r'))],
    [Buffer.from(text.replaceAll(';', '|').replaceAll('\r\n', '\n'))],
    [Buffer.from('"email, or mail",email,firstName\n,a@example.com , "Zoë" \n')],
  ];
  for (const [nth, [bytes, encoding]] of files.entries()) {
    const { take, list } = await openImports(service);
    assert.deepEqual((await take(bytes, { encoding })).counts, [1, 0, 0, 0], `file ${nth}`);
    assert.deepEqual(pick(await list(), 'email', 'name'), [['a@example.com', 'Zoë/']], `file ${nth}`);
  }
  const { take } = await openImports(service);
  await assert.rejects(
    take(Buffer.from(text, 'latin1')),
    (error) => error instanceof Failure && /not UTF-8 .*--encoding windows-1252/.test(error.message),
  );
});

test('bytes may come in pieces of any size', async () => {
  const { workspaceId, list } = await openImports(service);
  const file = Buffer.from('email,firstName\r\na@example.com,"Zo\r\në"\r\n\r\nb@example.com,"""B"""\r\n');
  const bytes = (async function* () {
    for (const byte of file) yield Buffer.from([byte]);
  })();
  await importMembers(database, bytes, {
    workspaceId,
    actor: theService,
    writeRejected: async (text) => assert.fail(text),
  });
  assert.deepEqual(pick(await list(), 'name'), [['Zo\r\në/'], ['"B"/']]);
});

test('only a short text names managers in brackets', () => {
  assert.deepEqual(managerKeys('Ada Lovelace (17)'), ['Ada Lovelace (17)', '17']);
  const long = '(17)'.repeat(300);
  assert.deepEqual(managerKeys(long), [long]);
});
