import type { Fault } from '../../ground/errors.ts';
import { isEmail, notEmail } from '../../ground/values/email.ts';
import { minorDigits, notCurrency } from '../../ground/values/money.ts';
import { longest, textProblem } from '../../ground/values/text.ts';
import { urlProblem } from '../../ground/values/url.ts';

/** The fields of a member that other systems may set. An absent field stays as it is, and null clears it. */
export interface MemberFields {
  firstName?: string | null;
  lastName?: string | null;
  email?: string | null;
  employeeNumber?: string | null;
  department?: string | null;
  costCentre?: string | null;
  location?: string | null;
  currency?: string | null;
  pictureUrl?: string | null;
  /** The id of another member. */
  managerId?: number | null;
  /** A manager who is not known yet, as another system names them; absent if `managerId` is there. */
  managerReference?: string | null;
  active?: boolean;
  /** The day they left, as 2026-03-04. If absent, the day of the change. */
  leftOn?: string;
  /** The login, as SCIM's userName. */
  userName?: string | null;
  externalId?: string | null;
  /** The names as SCIM sent them, beside the first and the last name. */
  displayName?: string | null;
  formattedName?: string | null;
}

type TextField = Exclude<keyof MemberFields, 'managerId' | 'active' | 'leftOn'>;

const lengths: Record<TextField, number> = {
  firstName: longest.name,
  lastName: longest.name,
  email: longest.email,
  employeeNumber: longest.employeeNumber,
  department: 200,
  costCentre: 200,
  location: 200,
  currency: 3,
  pictureUrl: 2_000,
  userName: longest.email,
  externalId: 255,
  managerReference: longest.email,
  displayName: 200,
  formattedName: 200,
};

const textFields = Object.keys(lengths) as TextField[];

/** The faults of these fields. Texts must be trimmed already, and null if they were empty. */
export function checkMemberFields(fields: MemberFields): Fault[] {
  const faults: Fault[] = [];
  for (const path of textFields) {
    const value = fields[path];
    const problem = typeof value === 'string' ? problemOf(path, value) : null;
    if (problem !== null) faults.push({ path, problem });
  }
  return faults;
}

function problemOf(field: TextField, value: string): string | null {
  const problem = textProblem(value, lengths[field]);
  if (problem !== null) return problem;
  if (field === 'email' && !isEmail(value)) return notEmail;
  if (field === 'currency' && minorDigits(value) === null) return notCurrency;
  return field === 'pictureUrl' ? urlProblem(value, 'web') : null;
}
