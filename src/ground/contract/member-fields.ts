import Type, { type TOptional, type TString, type TUnsafe } from 'typebox';
import {
  type ApiField,
  apiName,
  filterFields,
  type MemberField,
  memberFields,
  type OpenField,
  openFields,
  type PrivateField,
  spacedName,
} from '../values/member.ts';
import { examplePerson, nullable } from './schema.ts';

interface FieldTexts {
  is: string;
  /** What a caller may send; for a plain text, how long it may be. */
  takes?: string;
  example: string;
}

const fromDirectory = "As the company's directory has it.";

/** What the API document says about each field of a member. */
const texts: Record<ApiField, FieldTexts> = {
  email: {
    is: 'The email address.',
    takes: 'An email address that no other person has.',
    example: examplePerson.email,
  },
  employeeNumber: {
    is: "The company's own number for the person.",
    takes: 'An employee number that no other person has.',
    example: examplePerson.employeeNumber,
  },
  firstName: { is: 'The legal first name. Empty where it is not known.', example: examplePerson.firstName },
  lastName: { is: 'The legal last name. Empty where it is not known.', example: examplePerson.lastName },
  preferredName: {
    is: 'The name that people see. One word takes the place of the first name, several take the place of the whole name. Payroll and tax files have the legal names.',
    takes:
      'Up to 100 characters. One word takes the place of the first name, several take the place of the whole name.',
    example: 'Gracie',
  },
  department: { is: fromDirectory, example: 'Engineering' },
  costCentre: { is: fromDirectory, example: 'CC-100' },
  location: { is: fromDirectory, example: 'Chicago' },
  country: {
    is: 'The country of ISO 3166, as its code of two letters.',
    takes: 'A country of ISO 3166: its code or its name. The code of two letters is stored.',
    example: 'US',
  },
  hireDate: {
    is: 'The first day. Before it, our own reports do not count the person.',
    takes: 'The first day. Before it, our own reports do not count the person.',
    example: '2026-09-01',
  },
  birthday: {
    is: 'Month and day, for example 05-17. Only the people team and the person may read it: the field is absent for other callers.',
    takes: 'Month and day, for example 05-17. Of a whole date the year is removed: a year of birth is never stored.',
    example: '05-17',
  },
  language: {
    is: 'The language that the person reads. A gift has the language of its order.',
    takes: 'A language with its region, for example FR_CA. Forms such as fr-CA are understood.',
    example: 'FR_CA',
  },
  timeZone: {
    is: 'The name of the time zone in the IANA list.',
    takes: 'The name of a time zone in the IANA list.',
    example: 'America/Chicago',
  },
  phone: { is: 'The phone number at work.', example: '+1 312 555 0142' },
  leaveStartsOn: {
    is: 'The first day of a leave. Only the people team and the person may read it: the field is absent for other callers.',
    takes:
      'The first day of a leave. Automations can skip people who are on leave. Without leaveEndsOn, its end is open.',
    example: '2026-10-05',
  },
  leaveEndsOn: {
    is: 'The last day of a leave. Only the people team and the person may read it: the field is absent for other callers.',
    takes: 'The last day of a leave. Without leaveStartsOn, it has begun already.',
    example: '2027-01-04',
  },
  hiddenDays: {
    is: 'Which days of the person colleagues are not told about: the shoutouts of automations on these days are private. Only the people team and the person may read it: the field is absent for other callers.',
    takes: 'Which days of the person colleagues are not told about. Null: colleagues may see both.',
    example: 'BIRTHDAY',
  },
  leavesOn: {
    is: 'The last day of a member who has not left, where it is known. They are marked as left after it, in the workspace’s time zone.',
    takes: 'The last day: today or later. The member is marked as left after it. Null withdraws it.',
    example: '2026-12-31',
  },
  currency: { is: 'ISO 4217 code.', takes: 'A current ISO 4217 code.', example: 'USD' },
  avatar: {
    is: 'The URL of a picture.',
    takes: 'The http or https URL of a picture, without a user name or password.',
    example: examplePerson.avatar,
  },
};

type NameField = 'firstName' | 'lastName';
type Shown = {
  [Name in ApiField]: Name extends NameField
    ? TString
    : Name extends PrivateField
      ? TOptional<TUnsafe<string | null>>
      : TUnsafe<string | null>;
};
type Sent = { [Name in ApiField]: TOptional<TUnsafe<string | null>> };

/** The fields of a member as they are read. */
export const shownFields = schemasOf<Shown>((field, { is: description, example }) => {
  const options = { ...formOf(field), description, examples: [example] };
  if (field.kind === 'name') return Type.String(options);
  const shown = nullable<string>('string', options);
  return field.isPrivate ? Type.Optional(shown) : shown;
});

/** The same fields as they are sent. Null clears one. */
export const sentFields = schemasOf<Sent>((field, { takes, example }) => {
  const description = takes ?? `Up to ${field.most} characters.`;
  return Type.Optional(
    nullable<string>('string', { format: 'text', ...formOf(field), description, examples: [example] }),
  );
});

function schemasOf<Schemas>(schemaOf: (field: MemberField, texts: FieldTexts) => Schemas[keyof Schemas]): Schemas {
  const schemas = openFields.map((name) => [apiName(name), schemaOf(memberFields[name], texts[apiName(name)])]);
  return Object.fromEntries(schemas) as Schemas;
}

function formOf({ kind, choices }: MemberField): { format?: string; enum?: (string | null)[] } {
  if (kind === 'date') return { format: 'date' };
  return choices ? { enum: [...choices, null] } : {};
}

export const filter = (field: string) =>
  Type.Optional(Type.String({ format: 'text', description: `${field}: an exact match, ignoring case.` }));

/** The filters by fields, in the sequence of the alphabet. */
export const fieldFilters = fieldsOf(filterFields.toSorted(), (name) => filter(`The member's ${spacedName(name)}`));

/** Each of these fields as a text that a caller may name, without case. */
export function namedFields<Name extends OpenField>(names: readonly Name[], describe: (spaced: string) => string) {
  return fieldsOf(names, (name) => {
    const examples = [fieldExample(name)];
    const options = { maxLength: memberFields[name].most, description: describe(spacedName(name)), examples };
    return Type.Optional(Type.String({ minLength: 1, format: 'text', ...options }));
  });
}

/** A property for each of these fields. */
export function fieldsOf<Name extends string, Property>(names: readonly Name[], propertyOf: (name: Name) => Property) {
  return Object.fromEntries(names.map((name) => [name, propertyOf(name)])) as Record<Name, Property>;
}

export function fieldExample(name: OpenField): string {
  return texts[apiName(name)].example;
}
