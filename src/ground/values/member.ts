import { isCountry, notCountry } from './country.ts';
import { isEmail, notEmail } from './email.ts';
import { isLanguageRegion, notLanguageRegion } from './language.ts';
import { isDay, notDay } from './moment.ts';
import { minorDigits, notCurrency } from './money.ts';
import { isText, longest, plainText, textProblem } from './text.ts';
import { isTimeZone, notTimeZone } from './time-zone.ts';
import { urlProblem } from './url.ts';

/** A field of a person, and the column of `members` that holds it. */
export interface MemberField {
  column: string;
  kind: Kind;
  /** The most characters of a text. */
  most: number;
  /** The values of a choice. */
  choices?: readonly string[];
  /** False if it says little about a person: a field is personal unless it is declared not to be. */
  isPersonal?: false;
  /** Only the people team and the person may read it: see `directory/readers.ts`. */
  isPrivate?: true;
  /**
   * What a merge does with it. The survivor takes it over if it has none. The merged record no longer has it, unless it is `unique`
   * (no two people have the same) and the survivor has its own, or it `stays`. A `manager` moves if the reporting line allows it.
   */
  merge?: 'unique' | 'stays' | 'manager';
  /** Its name in the API, if that is another one. */
  api?: string;
  /** Only SCIM sets it: the API and files do not have it. Or the API has it, and files say it in another way. */
  only?: 'scim' | 'api';
  /** Where SCIM has it: `attribute`, `attribute.part`, `attribute[type].part`, `enterprise:attribute` or, in our own extension, `giftwire:attribute`. */
  scim?: string;
  /** A PUT of a user without it leaves it as it is: files set it too, and not every identity provider sends it. */
  isKeptByPut?: true;
  /** Whether reports show it, or also group people by it. What people are grouped by is a filter too. */
  reports?: 'column' | 'group';
  /** The kind of budget that people with the same value can share. Rules about orders name these fields too. */
  budget?: 'COST_CENTRE' | 'DEPARTMENT';
  /** Whether lists and reports can be filtered by it. It needs an index in the order of the report. */
  isFilter?: true;
}

/** Of a field that people are grouped by. */
const ofGroups = { isPersonal: false, reports: 'group', isFilter: true } as const;

/**
 * The fields of a person that other systems may set. The directory, the API, files, SCIM, merges, events and reports follow from this
 * list. It is below the contract, because all of them import it.
 */
const declared = {
  email: field('email', 'email', longest.email, { merge: 'unique', scim: 'emails[work].value' }),
  employeeNumber: field('employee_number', 'text', longest.employeeNumber, {
    ...{ merge: 'unique', scim: 'enterprise:employeeNumber', reports: 'column', isFilter: true },
  }),
  firstName: field('first_name', 'name', longest.name, { merge: 'stays', scim: 'name.givenName' }),
  lastName: field('last_name', 'name', longest.name, { merge: 'stays', scim: 'name.familyName' }),
  // What people see in place of the legal names: see `person-name.ts`.
  preferredName: field('preferred_name', 'knownAs', 100, { scim: 'nickName', isKeptByPut: true }),
  department: field('department', 'text', 200, { ...ofGroups, budget: 'DEPARTMENT', scim: 'enterprise:department' }),
  costCentre: field('cost_centre', 'text', 200, {
    ...{ ...ofGroups, budget: 'COST_CENTRE', scim: 'enterprise:costCenter' },
  }),
  location: field('location', 'text', 200, { ...ofGroups, scim: 'addresses[work].locality' }),
  currency: field('currency', 'currency', 3, { isPersonal: false, isFilter: true }),
  pictureUrl: field('picture_url', 'url', 2_000, { merge: 'stays', api: 'avatar', scim: 'photos[photo].value' }),
  country: field('country', 'country', 2, { isPersonal: false, scim: 'addresses[work].country' }),
  // The first day: from then on the person counts in our own reports.
  hireDate: field('hired_on', 'date', 10, { scim: 'giftwire:hireDate', isKeptByPut: true }),
  // A month and a day. The year of birth is never stored.
  birthday: field('birthday', 'monthDay', 5, { isPrivate: true, scim: 'giftwire:birthday', isKeptByPut: true }),
  language: field('own_language', 'language', 5, {
    ...{ isPersonal: false, scim: 'preferredLanguage', isKeptByPut: true },
  }),
  timeZone: field('own_time_zone', 'timeZone', 64, { isPersonal: false, scim: 'timezone', isKeptByPut: true }),
  phone: field('phone_number', 'text', 50, { scim: 'phoneNumbers[work].value', isKeptByPut: true }),
  // The first and the last day of a leave: automations can skip the person meanwhile. One of them alone leaves the other end open.
  leaveStartsOn: field('leave_starts_on', 'date', 10, {
    isPrivate: true,
    scim: 'giftwire:leaveStartsOn',
    isKeptByPut: true,
  }),
  leaveEndsOn: field('leave_ends_on', 'date', 10, { isPrivate: true, scim: 'giftwire:leaveEndsOn', isKeptByPut: true }),
  // Which of their days colleagues are not told about.
  hiddenDays: field('hidden_days', 'choice', 11, {
    ...{
      choices: ['BIRTHDAY', 'ANNIVERSARY', 'BOTH'],
      isPrivate: true,
      scim: 'giftwire:hiddenDays',
      isKeptByPut: true,
    },
  }),
  // The last day of a person who has not left. In files, it is the leaving date.
  leavesOn: field('leaves_on', 'date', 10, { only: 'api' }),
  managerId: field('manager_id', 'member', 0, { isPersonal: false, merge: 'manager' }),
  // A manager who is not known yet, as SCIM names them.
  managerReference: field('manager_reference', 'text', longest.email, { merge: 'manager', only: 'scim' }),
  userName: field('user_name', 'text', longest.email, { merge: 'unique', only: 'scim', scim: 'userName' }),
  externalId: field('external_id', 'text', 255, { only: 'scim', scim: 'externalId' }),
  // The names as SCIM sent them, beside the first and the last name.
  displayName: field('display_name', 'text', 200, { merge: 'stays', only: 'scim', scim: 'displayName' }),
  formattedName: field('formatted_name', 'text', 200, { merge: 'stays', only: 'scim', scim: 'name.formatted' }),
};

function field<OfKind extends Kind, const Rest extends Omit<MemberField, 'column' | 'kind' | 'most'>>(
  column: string,
  kind: OfKind,
  most: number,
  rest: Rest,
) {
  return { column, kind, most, ...rest };
}

type Declared = typeof declared;
export type MemberFieldName = keyof Declared;
type NamesOf<Part> = { [Name in MemberFieldName]: Declared[Name] extends Part ? Name : never }[MemberFieldName];

export const memberFields: Readonly<Record<MemberFieldName, MemberField>> = declared;
export const memberFieldNames = Object.keys(declared) as MemberFieldName[];

/** The fields that hold texts: all but the manager. Dates are texts too. */
export type MemberText = Exclude<MemberFieldName, 'managerId'>;
export const memberTexts = where<MemberText>(({ kind }) => kind !== 'member');

/** The texts of the API. */
export type OpenField = Exclude<MemberText, NamesOf<{ only: 'scim' }>>;
export const openFields = where<OpenField>(({ kind, only }) => kind !== 'member' && only !== 'scim');

/** Those of them that are columns of files. */
export type FileField = Exclude<OpenField, NamesOf<{ only: 'api' }>>;
export const fileFields = where<FileField>(({ kind, only }) => kind !== 'member' && only === undefined);

/** The names of the same fields in the API. */
export type ApiField = { [Name in OpenField]: Declared[Name] extends { api: infer Other } ? Other : Name }[OpenField];
export const apiName = (name: OpenField) => (memberFields[name].api ?? name) as ApiField;

export type ScimField = NamesOf<{ scim: string }>;
export const scimFields = where<ScimField>(({ scim }) => scim !== undefined);

export const scimExtensions = ['enterprise', 'giftwire'] as const;
export type ScimExtension = (typeof scimExtensions)[number];

/** Where SCIM has a field: an attribute, or a part of it; the value of a type, if the attribute is a list. */
export interface ScimPlace {
  /** The extension that has it; null: the core schema. */
  extension: ScimExtension | null;
  attribute: string;
  type: string | undefined;
  part: string | undefined;
}

export const scimPlaces = Object.fromEntries(
  scimFields.map((name) => [name, placeOf(memberFields[name].scim as string)]),
) as Record<ScimField, ScimPlace>;

function placeOf(path: string): ScimPlace {
  const [, before, attribute = '', type, part] = /^(?:(\w+):)?(\w+)(?:\[(\w+)\])?(?:\.(\w+))?$/.exec(path) ?? [];
  return { extension: scimExtensions.find((one) => one === before) ?? null, attribute, type, part };
}

export type FilterField = NamesOf<{ isFilter: true }>;
export const filterFields = where<FilterField>(({ isFilter }) => isFilter === true);

export type GroupField = NamesOf<{ reports: 'group' }>;
export const groupFields = where<GroupField>(({ reports }) => reports === 'group');

/** The groups whose people can share a budget. */
export type UnitField = NamesOf<{ budget: string }>;
export const unitFields = where<UnitField>(({ budget }) => budget !== undefined);
export const unitKind = (name: UnitField) => declared[name].budget;

/** `costCentre` as `cost centre`, and as `cost-centre` in options of commands. */
export const spacedName = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
export const dashedName = (name: string) => spacedName(name).replaceAll(' ', '-');

/** What reports and payroll files show of people. */
export type ReportField = NamesOf<{ reports: string }>;
export const reportFields = where<ReportField>(({ reports }) => reports !== undefined);

/** What only the people team and the person may read. */
export type PrivateField = NamesOf<{ isPrivate: true }>;
export const privateFields = where<PrivateField>(({ isPrivate }) => isPrivate === true);

function where<Name extends MemberFieldName>(isMeant: (field: MemberField) => boolean): Name[] {
  return memberFieldNames.filter((name): name is Name => isMeant(memberFields[name]));
}

/** What a text is. Most kinds say what else is wrong with a text; null if nothing is. */
const kinds = {
  text: null,
  /** Of a person; empty if it is not known, never null. */
  name: null,
  /** A name that people go by; null if it is not known. */
  knownAs: null,
  email: (value) => (isEmail(value) ? null : notEmail),
  currency: (value) => (minorDigits(value) === null ? notCurrency : null),
  url: (value) => urlProblem(value, 'web'),
  date: (value) => (isDay(value) ? null : notDay),
  /** A day of each year, for example 02-29. */
  monthDay: (value) => (isDay(`2000-${value}`) ? null : 'must be a month and a day, for example 03-31'),
  country: (value) => (isCountry(value) ? null : notCountry),
  language: (value) => (isLanguageRegion(value) ? null : notLanguageRegion),
  timeZone: (value) => (isTimeZone(value) ? null : notTimeZone),
  choice: (value, { choices = [] }) => (choices.includes(value) ? null : `must be one of ${choices.join(', ')}`),
  /** The id of another member. */
  member: null,
} satisfies Record<string, ((value: string, field: MemberField) => string | null) | null>;
type Kind = keyof typeof kinds;
const isListed = new Set<Kind>(['date', 'monthDay', 'country', 'language', 'timeZone', 'choice']);

/** What is wrong with the value of a field; null if nothing is. */
export function valueProblem(asked: MemberField, value: string): string | null {
  const problem = isText(value) ? (kinds[asked.kind]?.(value, asked) ?? null) : null;
  // Of a value that has to be one of a list, the length says less.
  return (isListed.has(asked.kind) ? problem : null) ?? textProblem(value, asked.most) ?? problem;
}

/** The names and groups of people. What identifies them is compared exactly. */
const shownTexts = where<MemberText>(
  ({ kind, merge, reports, only, scim }) =>
    kind === 'name' ||
    kind === 'knownAs' ||
    reports === 'group' ||
    (only === 'scim' && kind === 'text' && merge === 'stays' && scim !== undefined),
);

/** Fields with names and groups in their plain form: texts that look the same are the same name, and one department. */
export function withPlainTexts<Fields extends { [Name in MemberText]?: string | null | undefined }>(
  fields: Fields,
): Fields {
  const changed = shownTexts.flatMap((name) => {
    const text = fields[name];
    const plain = text ? plainText(text) : text;
    return plain === text ? [] : [[name, plain || null] as const];
  });
  return changed.length === 0 ? fields : { ...fields, ...Object.fromEntries(changed) };
}
