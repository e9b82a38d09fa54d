import type { Fault } from '../../ground/errors.ts';
import { type MemberText, memberFields, memberTexts, valueProblem } from '../../ground/values/member.ts';

/** The fields of a member that other systems may set. An absent field stays as it is, and null clears it. */
export type MemberFields = { [Name in MemberText]?: string | null } & {
  /** The id of another member. */
  managerId?: number | null;
  active?: boolean;
  /** The day they left, for example 2026-03-04. If absent, the day of the change. */
  leftOn?: string;
};

const checked = memberTexts.map((path) => ({ path, field: memberFields[path] }));

/** The faults of these fields. Texts must be trimmed already, and null if they were empty. */
export function checkMemberFields(fields: MemberFields): Fault[] {
  const faults: Fault[] = [];
  for (const { path, field } of checked) {
    const value = fields[path];
    const problem = typeof value === 'string' ? valueProblem(field, value) : null;
    if (problem !== null) faults.push({ path, problem });
  }
  return faults;
}
