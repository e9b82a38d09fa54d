import type { Fault } from '../../ground/errors.ts';
import { readMonthDay } from '../../ground/sheets/dates.ts';
import { readCountry } from '../../ground/values/country.ts';
import type { CustomChange } from '../../ground/values/custom-field.ts';
import { readLanguageRegion } from '../../ground/values/language.ts';
import {
  type MemberField,
  type MemberText,
  memberFields,
  memberTexts,
  valueProblem,
  withPlainTexts,
} from '../../ground/values/member.ts';
import { readTimeZone } from '../../ground/values/time-zone.ts';

/** The fields of a member that other systems may set. An absent field stays as it is, and null clears it. */
export type MemberFields = { [Name in MemberText]?: string | null } & {
  /** The id of another member. */
  managerId?: number | null;
  active?: boolean;
  /** The day they left, for example 2026-03-04. If absent, the day of the change. */
  leftOn?: string;
  /** Values of custom fields. They are checked with the fields of the workspace: see `custom-fields.ts`. */
  custom?: CustomChange;
};

/** The form in which texts of these kinds are stored; undefined for a text that is not understood. */
const readers: Partial<Record<MemberField['kind'], (text: string) => string | null | undefined>> = {
  // Other systems send the beginning of the day.
  date: (text) => text.replace(/^(\d{4}-\d\d-\d\d)T.*$/, '$1'),
  // Never with a year.
  monthDay: (text) => {
    const read = readMonthDay(text);
    return read === null ? null : 'day' in read ? read.day : undefined;
  },
  country: readCountry,
  language: readLanguageRegion,
  timeZone: readTimeZone,
};
const readFields = memberTexts.flatMap((name) => {
  const read = readers[memberFields[name].kind];
  return read ? [{ name, read }] : [];
});

/**
 * Fields in the one form in which they are stored, as the systems that send them may write them in other forms. All writes of members pass here. A text that
 * is not understood stays as it is, and `checkMemberFields` rejects it.
 */
export function storedForm<Fields extends { [Name in MemberText]?: string | null | undefined }>(
  fields: Fields,
): Fields {
  const plain = withPlainTexts(fields);
  const changed = readFields.flatMap(({ name, read }) => {
    const text = plain[name];
    const stored = text ? read(text) : undefined;
    return stored === undefined || stored === text ? [] : [[name, stored] as const];
  });
  return changed.length === 0 ? plain : { ...plain, ...Object.fromEntries(changed) };
}

const checked = memberTexts.map((path) => ({ path, field: memberFields[path] }));

/** The faults of these fields. Texts must be trimmed already, and null if they were empty. */
export function checkMemberFields(fields: MemberFields): Fault[] {
  const faults: Fault[] = [];
  for (const { path, field } of checked) {
    const value = fields[path];
    const problem = typeof value === 'string' ? valueProblem(field, value) : null;
    if (problem !== null) faults.push({ path, problem });
  }
  const { leaveStartsOn, leaveEndsOn } = fields;
  if (faults.length === 0 && leaveStartsOn && leaveEndsOn && leaveEndsOn < leaveStartsOn)
    faults.push({ path: 'leaveEndsOn', problem: 'must not be before leaveStartsOn' });
  return faults;
}
