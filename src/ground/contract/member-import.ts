import Type, { type Static } from 'typebox';
import { examplePerson, named, nullable, nullableRef, oneOf, ref, strictQuery } from './schema.ts';

/** How many faults and changes an answer lists. */
export const mostListed = 1_000;
/** The most invalid rows with which an import continues. */
export const mostRejected = 10_000;

const count = (description: string, example = 0) => Type.Integer({ description, examples: [example] });
const text = (description: string, example: string | null) =>
  nullable<string>('string', { description, examples: [example] });

const ImportFault = named(
  'ImportFault',
  Type.Object(
    {
      line: Type.Integer({ description: 'The line of the file.', examples: [3] }),
      reason: Type.String({
        description: 'What is wrong with it.',
        examples: ['the row has 9 cells, and the header only 8'],
      }),
    },
    { description: 'A row that was rejected, or imported without its manager.' },
  ),
);

const ImportChange = named(
  'ImportChange',
  Type.Object(
    {
      line: Type.Integer({ description: 'The line of the file.', examples: [2] }),
      change: oneOf(['added', 'changed', 'leaves', 'heldBack', 'returns'], {
        description: '`heldBack`: the person would leave, but too many leave at once.',
      }),
      id: nullable<number>('integer', {
        description: 'The member id; null for a new person in a dry run.',
        examples: [7],
      }),
      email: text('The email address.', examplePerson.email),
      employeeNumber: text("The company's own number for the person.", examplePerson.employeeNumber),
      firstName: text('The first name.', examplePerson.firstName),
      lastName: text('The last name.', examplePerson.lastName),
      fields: Type.Array(Type.String(), { description: 'What changes.', examples: [['department']] }),
    },
    { description: 'A person whom an import adds or changes.' },
  ),
);

const ImportText = named(
  'ImportText',
  Type.Object(
    {
      field: Type.String({ description: 'The field of its column.', examples: ['department'] }),
      text: Type.String({ description: 'The text.', examples: ['#N/A'] }),
      rows: Type.Integer({ description: 'How many rows have it.', examples: [3] }),
    },
    { description: 'A text of an imported file.' },
  ),
);

const ImportValues = named(
  'ImportValues',
  Type.Object(
    {
      field: Type.String({ description: 'The field of the column.', examples: ['birthday'] }),
      rows: Type.Integer({ description: 'How many rows have a value that was understood.', examples: [27] }),
      examples: Type.Array(Type.String(), {
        description: 'The first different values, in the form in which they are stored: birthdays without a year.',
        examples: [['01-01', '06-08', '11-15']],
      }),
    },
    { description: 'What the rows of an imported file have in a field.' },
  ),
);

const ImportOpenColumn = named(
  'ImportOpenColumn',
  Type.Object(
    {
      header: Type.String({ description: 'The header of the column.', examples: ['Phase'] }),
      values: Type.Array(Type.String(), { description: 'Some of its texts.', examples: [['Active', 'Terminated']] }),
    },
    { description: 'A column that seems to say who has left.' },
  ),
);

const ImportProbable = named(
  'ImportProbable',
  Type.Object(
    {
      id: nullable<number>('integer', {
        description: 'The member id; null for a new person of the same file.',
        examples: [7],
      }),
      employeeNumber: Type.String({ description: 'The whole number.', examples: ['0077'] }),
      firstName: Type.String({ description: 'The first name.', examples: [examplePerson.firstName] }),
      lastName: Type.String({ description: 'The last name.', examples: [examplePerson.lastName] }),
    },
    { description: 'A person whom a damaged number probably identifies.' },
  ),
);

const ImportNumber = named(
  'ImportNumber',
  Type.Object(
    {
      line: Type.Integer({ description: 'The line of the file.', examples: [4] }),
      employeeNumber: Type.String({ description: 'The number in the file.', examples: ['77'] }),
      probably: nullableRef(ImportProbable, { description: 'Whom it probably identifies; null if that is not known.' }),
    },
    { description: 'An employee number that a spreadsheet seems to have damaged.' },
  ),
);

const ImportManager = named(
  'ImportManager',
  Type.Object(
    {
      name: Type.String({ description: 'The name in the file.', examples: ['Ada Lovelace'] }),
      people: Type.Integer({ description: 'How many people who are here have it.', examples: [2] }),
      rows: Type.Integer({ description: 'How many rows name it.', examples: [3] }),
    },
    { description: 'A name of a manager that is not that of one person.' },
  ),
);

export const ImportResult = named(
  'ImportResult',
  Type.Object(
    {
      dryRun: Type.Boolean({ description: 'Whether nothing was changed.', examples: [true] }),
      complete: Type.Boolean({
        description: 'False if the import ended early. Import the same file again: rows that are done change nothing.',
        examples: [true],
      }),
      doneToLine: nullable<number>('integer', {
        description: 'How far it came, if it is not complete.',
        examples: [null],
      }),
      rows: count('Rows that were read.', 2),
      added: count('People who were added.', 1),
      changed: count('People who were changed.', 1),
      unchanged: count('People whose rows say nothing new.'),
      repeated: count('Rows that repeat an earlier row.'),
      rejected: count('Rows that were rejected.'),
      leaving: count('People who leave; they count as changed too.'),
      returning: count('People who return; they count as changed too.'),
      heldBack: count('People who would leave, but are too many at once: send `allowLeavers` if the file is right.'),
      leaversWithoutAsking: count('How many may leave without `allowLeavers`.', 5),
      withoutManager: count('People who were imported without their manager, who is not known.'),
      managerNames: count('People whose manager is only a name, and not that of one person.'),
      columns: Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'The header of each field that was read.',
        examples: [{ email: 'Work email', firstName: 'First name' }],
      }),
      values: Type.Array(ref(ImportValues), {
        description: 'What rows without a fault have in each field. Only a dry run returns them.',
      }),
      notUnderstood: Type.Array(Type.String(), {
        description: 'Headers that were left out.',
        examples: [['Shoe size']],
      }),
      superseded: Type.Array(Type.String(), {
        description: 'Headers that were left out, because another column says the same.',
        examples: [[]],
      }),
      openColumns: Type.Array(ref(ImportOpenColumn), {
        description:
          'Columns that seem to say who has left, although their headers are not understood. Only a dry run returns them: say in `map` what each one is, with null to leave it out. Until then an import gives 400, because people who have left would be active.',
      }),
      unknownStatuses: Type.Array(ref(ImportText), {
        description: 'Statuses that are not understood. Their rows are rejected: say in `status` what they mean.',
      }),
      dateOrder: nullable<'dayFirst' | 'monthFirst'>('string', {
        enum: ['dayFirst', 'monthFirst', null],
        description:
          'How dates such as 03/04/2026 were read, because other dates of the file prove it: 12/23/2006 has the month first. Null if no date needs it, no date proves it, two dates contradict each other, or `dateFormat` says it.',
        examples: ['monthFirst'],
      }),
      ambiguousDates: Type.Array(ref(ImportText), {
        description: 'Dates that may be two days. Their rows are rejected: say in `dateFormat` how dates are written.',
      }),
      placeholders: Type.Array(ref(ImportText), {
        description:
          'Texts that stand for nothing and were read as empty cells: a dash, `#N/A`, `NULL`, `TBD`. What is stored stays. Say in `value` what one means if it is a value.',
      }),
      damagedNumbers: Type.Array(ref(ImportNumber), {
        description:
          'Employee numbers that a spreadsheet seems to have damaged: 77 where a person has 0077, or 1.23457E+11. Their rows are rejected: correct them, or say in `value` which number each one is.',
      }),
      unknownManagers: Type.Array(ref(ImportManager), {
        description: 'Names of managers that are not those of one person in the file and the directory.',
      }),
      changes: Type.Array(ref(ImportChange), { description: `The first ${mostListed} people, by line.` }),
      faults: Type.Array(ref(ImportFault), { description: `The first ${mostListed} rows with a fault, by line.` }),
      rejectedRows: nullable<string>('string', {
        description:
          'All rows with a fault as CSV, with line and reason, to correct and import; null if there are none.',
        examples: [null],
      }),
    },
    { description: 'What an import did, or would do.' },
  ),
);
export type ImportResult = Static<typeof ImportResult>;

export const ImportQuery = strictQuery({
  dryRun: Type.Boolean({ default: false, description: 'true: says what would change, and changes nothing.' }),
  encoding: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'For example windows-1252. When absent: what the byte order mark says, else UTF-8.',
    }),
  ),
  map: Type.Optional(
    Type.String({
      maxLength: 10_000,
      format: 'text',
      description:
        'Which column is which field, as a JSON object: {"Personal mail": "email", "Notes": null}. Null leaves a column out. Other columns are understood by their headers.',
    }),
  ),
  status: Type.Optional(
    Type.String({
      maxLength: 10_000,
      format: 'text',
      description:
        'What the company\'s own statuses mean, as a JSON object: {"A1": "active", "Gone": "left"}. It comes before what Giftwire knows of statuses.',
    }),
  ),
  value: Type.Optional(
    Type.String({
      maxLength: 100_000,
      format: 'text',
      description:
        'What texts of a field mean, as a JSON object: {"location": {"YUL": "Montréal"}}. A meaning is stored as it is; an empty one clears the field.',
    }),
  ),
  dateFormat: Type.Optional(
    Type.String({
      maxLength: 20,
      description:
        'How dates are written: DD/MM/YYYY or MM/DD/YYYY, for example. When absent: as the dates of the file prove.',
    }),
  ),
  allowLeavers: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'How many people the file may make leavers; a tenth of all when absent.',
    }),
  ),
  renumber: Type.Boolean({ default: false, description: 'true: people may get another employee number.' }),
});
export type ImportQuery = Static<typeof ImportQuery>;

export const memberImportSchemas = [
  ImportFault,
  ImportChange,
  ImportText,
  ImportValues,
  ImportOpenColumn,
  ImportProbable,
  ImportNumber,
  ImportManager,
  ImportResult,
];
