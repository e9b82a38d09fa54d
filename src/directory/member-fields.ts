import type { Fault } from '../errors.ts';
import { isEmail } from '../values/email.ts';
import { minorDigits } from '../values/money.ts';
import { isText } from '../values/text.ts';

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

const longest: Record<TextField, number> = {
  firstName: 100,
  lastName: 100,
  email: 254,
  employeeNumber: 64,
  department: 200,
  costCentre: 200,
  location: 200,
  currency: 3,
  pictureUrl: 2_000,
  userName: 254,
  externalId: 255,
  managerReference: 254,
  displayName: 200,
  formattedName: 200,
};

/** The faults of these fields. Texts must be trimmed already, and null if they were empty. */
export function checkMemberFields(fields: MemberFields): Fault[] {
  return (Object.keys(longest) as TextField[]).flatMap((path) => {
    const value = fields[path];
    const problem = typeof value === 'string' ? problemOf(path, value) : null;
    return problem === null ? [] : [{ path, problem }];
  });
}

function problemOf(field: TextField, value: string): string | null {
  if (!isText(value)) return 'must be text without NUL or broken characters';
  if ([...value].length > longest[field]) return `must have at most ${longest[field]} characters`;
  if (field === 'email' && !isEmail(value)) return 'must be an e-mail address';
  if (field === 'currency' && minorDigits(value) === null) return 'must be a current ISO 4217 currency code, as CAD';
  if (field === 'pictureUrl' && !isWebAddress(value)) return 'must be an http or https address';
  return null;
}

function isWebAddress(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}
