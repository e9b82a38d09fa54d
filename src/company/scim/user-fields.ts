import type { CustomChange, CustomField } from '../../ground/values/custom-field.ts';
import { readCustomText, readCustomValue } from '../../ground/values/custom-value.ts';
import { isObject } from '../../ground/values/differences.ts';
import { isEmail } from '../../ground/values/email.ts';
import { readId } from '../../ground/values/id.ts';
import {
  memberFields,
  type ScimExtension,
  type ScimField,
  type ScimPlace,
  scimFields,
  scimPlaces,
  valueProblem,
} from '../../ground/values/member.ts';
import { textProblem } from '../../ground/values/text.ts';
import { readCustomChange, valuesOf } from '../directory/custom-fields.ts';
import type { ListedEmail } from '../directory/emails.ts';
import { checkMemberFields, storedForm } from '../directory/member-fields.ts';
import type { Document } from './attributes.ts';
import { invalidValue } from './failure.ts';
import { userExtensions } from './schemas.ts';

/** The checked fields of a user resource; null if the resource does not have one. */
export type UserFields = Record<ScimField, string | null> & {
  userName: string;
  /** As it was sent: an id, login, email address or employee number. The manager may not be known yet. */
  manager: string | null;
  active?: boolean;
  /** The values of all custom fields of the workspace; null if the resource does not have one. */
  custom: CustomChange;
  /** All addresses; null without any. */
  emails: ListedEmail[] | null;
};

/**
 * Reads the fields of a tidied resource. Of a resource that deactivates a `known` user, invalid fields stay as they were: removing
 * access matters more than the profile.
 */
export function readUserFields(
  document: Document,
  customFields: readonly CustomField[],
  known: UserFields | null = null,
): UserFields {
  const userName = textOf(document.userName);
  if (userName === null) throw invalidValue('userName', 'is required');
  const { manager } = extensionOf(document, 'enterprise');
  const custom = readCustom(document, customFields);
  const fields: UserFields = storedForm({
    ...(Object.fromEntries(scimFields.map((name) => [name, readPlace(document, scimPlaces[name])])) as Record<
      ScimField,
      string | null
    >),
    userName,
    manager: textOf(isObject(manager) ? manager.value : null),
    ...(typeof document.active === 'boolean' && { active: document.active }),
    emails: listEmails(document),
    custom: custom.change,
  });
  const faults = checkMemberFields({ ...fields, managerReference: fields.manager }).map(({ path, problem }) => ({
    name: path === 'managerReference' ? 'manager' : (path as keyof UserFields),
    problem,
  }));
  const emailProblem = problemOf(fields.emails);
  if (emailProblem !== null) faults.push({ name: 'emails', problem: emailProblem });
  const [fault] = faults;
  const [customFault] = custom.faults;
  if (!fault && !customFault) return fields;
  if (known === null || fields.active !== false) {
    if (fault) throw invalidValue(scimNames[fault.name], fault.problem);
    if (customFault) throw invalidValue(customFault.path.replace('custom.', ''), customFault.problem);
  }
  return { ...fields, ...Object.fromEntries(faults.map(({ name }) => [name, known?.[name]])) };
}

/** The values of all custom fields: null for those that the resource does not have, and without those that are invalid. */
function readCustom(document: Document, fields: readonly CustomField[]) {
  const sent = extensionOf(document, 'giftwire');
  const values = Object.fromEntries(fields.map(({ key }) => [key, Object.hasOwn(sent, key) ? sent[key] : null]));
  return readCustomChange(fields, values, (field, value) =>
    typeof value === 'string' ? readCustomText(field, value) : readCustomValue(field, value),
  );
}

/** The values that a resource has, for a change that leaves the others as they are. */
export function presentValues(custom: CustomChange): CustomChange {
  return valuesOf(custom) ?? {};
}

/** A user without an email address whose login is one has that address. */
export function withEmail(fields: UserFields): UserFields {
  return fields.email === null && isEmail(fields.userName) ? { ...fields, email: fields.userName } : fields;
}

/** The names of the attributes, for messages. */
export const scimNames = {
  ...Object.fromEntries(scimFields.map((name) => [name, attributePath(scimPlaces[name])])),
  manager: 'manager.value',
  active: 'active',
  emails: 'emails',
  custom: 'custom',
} as Record<keyof UserFields, string>;

/** An attribute or a part of it, without its schema. */
export function attributePath({ attribute, part }: ScimPlace): string {
  return part === undefined ? attribute : `${attribute}.${part}`;
}

function extensionOf(document: Document, name: ScimExtension): Document {
  const extension = document[userExtensions[name].id];
  return isObject(extension) ? extension : {};
}

function readPlace(document: Document, { extension, attribute, type, part }: ScimPlace): string | null {
  const value = (extension === null ? document : extensionOf(document, extension))[attribute];
  if (part === undefined) return textOf(value);
  if (type !== undefined) return textOf(choose(value, attribute, type)?.[part]);
  return textOf(isObject(value) ? value[part] : null);
}

/** Chooses one of several values: that of the wanted type, else the primary one, else the first. All parts come from that one. */
function choose(values: unknown, attribute: string, wanted: string): Document | undefined {
  const filled = filledValues(values, attribute);
  const typed = filled.filter(({ type }) => String(type).toLowerCase() === wanted);
  const primary = (list: Document[]) => list.find((one) => one.primary === true);
  return primary(typed) ?? typed[0] ?? primary(filled) ?? filled[0];
}

/** The values of a list that have a part which is kept, beside the type. */
function filledValues(values: unknown, attribute: string): Document[] {
  const parts = scimFields.flatMap((name) =>
    scimPlaces[name].attribute === attribute ? (scimPlaces[name].part ?? []) : [],
  );
  return [values]
    .flat()
    .filter((value): value is Document => isObject(value) && parts.some((part) => textOf(value[part]) !== null))
    .filter(({ type }) => !notTaken[attribute]?.has(String(type).toLowerCase()));
}

/** Types of values that are never chosen: private numbers, and numbers that are not for talking. */
const notTaken: Record<string, ReadonlySet<string>> = { phoneNumbers: new Set(['home', 'fax', 'pager']) };

/** The addresses of a resource. One at most is primary; if none is, the member's own counts as it. */
function listEmails({ emails }: Document): ListedEmail[] | null {
  const { attribute, type: wanted = '' } = scimPlaces.email;
  const own = choose(emails, attribute, wanted);
  if (!own) return null;
  const filled = filledValues(emails, attribute);
  const primary = filled.find((one) => one.primary === true) ?? own;
  return filled.map((one) => ({
    value: textOf(one.value) ?? '',
    type: textOf(one.type),
    primary: one === primary,
    isOwn: one === own,
  }));
}

const longestType = 50;

function problemOf(emails: readonly ListedEmail[] | null): string | null {
  for (const { value, type, isOwn } of emails ?? []) {
    const problem =
      (isOwn ? null : valueProblem(memberFields.email, value)) ?? (type && textProblem(type, longestType));
    if (problem) return `has a value or a type that ${problem}`;
  }
  return null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The id in the address of a resource; null for anything else. */
export function readReference(resource: 'Users' | 'Groups', address: string): number | null {
  const [, id = ''] = new RegExp(`(?:^|/)${resource}/(\\d+)/?$`, 'i').exec(address.slice(-100)) ?? [];
  return readId(id);
}
