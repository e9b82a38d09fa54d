import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import type { CustomField } from '../../ground/values/custom-field.ts';
import { isObject } from '../../ground/values/differences.ts';
import { addressKey, isEmail } from '../../ground/values/email.ts';
import {
  memberFields,
  type ScimExtension,
  scimExtensions,
  scimFields,
  scimPlaces,
} from '../../ground/values/member.ts';
import { auditMember } from '../directory/audit.ts';
import { listCustomFields } from '../directory/custom-fields.ts';
import { saveEmails } from '../directory/emails.ts';
import { erasedText, findErased } from '../directory/erased-marks.ts';
import { deprovision, reprovision } from '../directory/provisioning.ts';
import { releaseFromMerged } from '../directory/recycled.ts';
import { addMembers, updateMembers } from '../directory/save.ts';
import { leaveTeams } from '../directory/teams.ts';
import { inWorkspace } from '../workspaces/lock.ts';
import { type Document, tidyResource } from './attributes.ts';
import { mergeHint, ScimFailure, taken } from './failure.ts';
import { managerText, memberFieldsOf, reportingManager, resolveManager } from './manager.ts';
import { readOperations } from './operations.ts';
import { type Owner, readOwners, releaseFrom, sameOwners } from './owners.ts';
import { patchUser } from './patch-user.ts';
import { extensionsWith, userExtensions, userSchema } from './schemas.ts';
import { writableDocument } from './user-document.ts';
import { presentValues, readUserFields, scimNames, type UserFields, withEmail } from './user-fields.ts';
import { readUserRow, type UserRow } from './user-rows.ts';
import { checkVersion, versionOf } from './version.ts';
import type { Writer } from './write.ts';

/**
 * Adds a user. If an order or an import added the person before, or the person was deprovisioned, the existing record is
 * adopted with its history, and fields that the resource does not have stay as they are. If a leaver's address comes with
 * another employee number or external id, a new person gets the address, and the history stays with the leaver.
 */
export async function createUser(writer: Writer, body: unknown): Promise<UserRow> {
  const { workspaceId } = writer;
  return saveUser(writer, 'member.added', async (tx, custom) => {
    const said = withEmail(readUserFields(readBody(body, custom), custom));
    const fields = { ...said, custom: presentValues(said.custom) };
    const owners = await sameOwners(tx, workspaceId, fields, await readOwners(tx, workspaceId, fields));
    const [known, ...others] = new Set(owners.map(({ id }) => id));
    if (others.length > 0) throw severalPeople(workspaceId, owners);
    const manager = await resolveManager(tx, workspaceId, fields, known ?? null);
    if (manager === null) throw reportingManager();
    if (known === undefined) {
      await refuseErased(tx, workspaceId, fields);
      const [added = 0] = await addMembers(tx, workspaceId, [memberFieldsOf(fields, manager)]);
      await saveEmails(tx, workspaceId, added, fields.emails ?? []);
      return added;
    }
    const sent = Object.fromEntries(
      Object.entries({ ...fields, ...(fields.manager !== null && manager) }).filter(
        ([name, value]) => value !== null || name === 'managerId',
      ),
    );
    await save(tx, workspaceId, known, { active: true, ...sent });
    await reprovision(tx, workspaceId, known);
    return known;
  });
}

/** An identity provider that sends an erased person again has not heard of it. */
async function refuseErased(
  tx: Queryable,
  workspaceId: number,
  { userName, email, emails, employeeNumber, externalId, hireDate }: UserFields,
): Promise<void> {
  const people = [
    { email, employeeNumber, externalId, hireDate },
    { email: userName, hireDate },
    ...(emails ?? []).map(({ value }) => ({ email: value, hireDate })),
  ];
  const [day] = (await findErased(tx, workspaceId, people)).filter((one) => one !== null);
  if (day !== undefined) throw new ScimFailure('conflict', 'uniqueness', `Not added: ${erasedText(day)}.`);
}

/**
 * Replaces a user. Fields that the resource does not have are cleared, except the identifiers and `active`. A resource without
 * an extension leaves the extension's fields as they are: not every provider sends it. So do fields with `isKeptByPut`.
 */
export async function replaceUser(writer: Writer, id: number, body: unknown, ifMatch?: string): Promise<UserRow> {
  const { workspaceId } = writer;
  return saveUser(writer, 'member.changed', async (tx, custom) => {
    const document = readBody(body, custom);
    const row = await findUser(tx, workspaceId, id);
    checkVersion(ifMatch, row);
    const said = readUserFields(document, custom, fieldsOf(row));
    const absent = scimExtensions.filter((name) => !Object.hasOwn(document, userExtensions[name].id));
    const employeeNumber = said.employeeNumber ?? row.employeeNumber;
    const kept = { ...keptOf(fieldsOf(row), said, absent), custom: presentValues(said.custom) };
    const fields = { ...said, ...kept, employeeNumber };
    return change(tx, workspaceId, row, said.email === null ? withFormerEmail(fields, row) : fields);
  });
}

export async function updateUser(writer: Writer, id: number, body: unknown, ifMatch?: string): Promise<UserRow> {
  const { workspaceId } = writer;
  return saveUser(writer, 'member.changed', async (tx, custom) => {
    const operations = readOperations(body, userSchema, extensionsWith(custom));
    const row = await findUser(tx, workspaceId, id);
    checkVersion(ifMatch, row);
    const fields = readUserFields(patchUser(writableDocument(row), operations), custom, fieldsOf(row));
    const saysEmail = operations.some(({ attribute }) => attribute.name === 'emails');
    return change(tx, workspaceId, row, saysEmail ? fields : withFormerEmail(fields, row));
  });
}

/** The person leaves, and stays in the history. They are a resource again when SCIM creates them again. */
export async function deleteUser(writer: Writer, id: number, ifMatch?: string): Promise<void> {
  const { people, workspaceId, actor } = writer;
  await inWorkspace(people, workspaceId, async (tx) => {
    const row = await findUser(tx, workspaceId, id);
    checkVersion(ifMatch, row);
    await leaveTeams(
      tx,
      workspaceId,
      row.groups.map((group) => ({ memberId: id, teamId: group.id })),
    );
    await updateMembers(tx, workspaceId, [{ id, active: false }]);
    await deprovision(tx, workspaceId, id);
    await auditMember(tx, actor, workspaceId, 'member.left', id);
  });
}

export async function findUser(tx: Queryable, workspaceId: number, id: number | null): Promise<UserRow> {
  const row = id === null ? null : await readUserRow(tx, workspaceId, id);
  if (!row) throw new Failure('missing', 'There is no user with this id.');
  return row;
}

function fieldsOf(row: UserRow): UserFields {
  return { ...row, custom: row.custom ?? {}, manager: managerText(row) };
}

/** The fields that a PUT leaves as they are: of extensions that it does not have, and those that it must name to change. */
function keptOf(fields: UserFields, said: UserFields, absent: readonly ScimExtension[]): Partial<UserFields> {
  const names = scimFields.filter((name) => {
    const { extension } = scimPlaces[name];
    return (
      (extension !== null && absent.includes(extension)) || (memberFields[name].isKeptByPut && said[name] === null)
    );
  });
  const kept = Object.fromEntries(names.map((name) => [name, fields[name]]));
  return { ...kept, ...(absent.includes('enterprise') && { manager: fields.manager }) };
}

function readBody(body: unknown, custom: readonly CustomField[]): Document {
  if (!isObject(body)) throw new ScimFailure('invalid', 'invalidSyntax', 'The body must be a JSON object.');
  return tidyResource(body, userSchema, extensionsWith(custom));
}

/** Saves a user as the workspace's one writer, with the entry in the audit log unless `work` returns the user as they were, and still are. */
function saveUser(
  { people, workspaceId, actor }: Writer,
  action: 'member.added' | 'member.changed',
  work: (tx: Queryable, custom: readonly CustomField[]) => Promise<number | UserRow>,
): Promise<UserRow> {
  return inWorkspace(people, workspaceId, async (tx) => {
    const saved = await work(tx, await listCustomFields(tx, workspaceId));
    const [id, before] = typeof saved === 'number' ? [saved, null] : [saved.id, saved];
    const after = await findUser(tx, workspaceId, id);
    if (before === null || versionOf(before) !== versionOf(after))
      await auditMember(tx, actor, workspaceId, action, id);
    return after;
  });
}

/** For a change without an address: the addresses stay. If the member's own was the same as the login, it changes with the login. */
function withFormerEmail(fields: UserFields, { email, userName, emails }: UserRow): UserFields {
  const wasTheName = email !== null && addressKey(email) === addressKey(userName);
  const next = wasTheName && isEmail(fields.userName) ? fields.userName : email;
  return { ...fields, email: next, emails };
}

/**
 * Saves a user, and returns them as they were. Only identifiers that change are compared with those of other users. A deactivation succeeds for
 * all but the last owner of the workspace: fields that another user has, and a manager who reports to the user, are then left out. Identifiers of deleted users are free.
 */
async function change(tx: Queryable, workspaceId: number, row: UserRow, fields: UserFields): Promise<UserRow> {
  const kept = new Set<keyof UserFields>();
  for (const owner of await readOwners(tx, workspaceId, fields)) {
    const { field } = owner;
    if (owner.id === row.id) continue;
    if (isSame(row[field], fields[field]) || (fields.active === false && !owner.deleted)) kept.add(field);
    else if (owner.deleted) await releaseFrom(tx, workspaceId, owner, fields);
    else throw taken(scimNames[field], mergeHint(workspaceId, owner.id, row.id));
  }
  const { id } = row;
  const manager = fields.manager === managerText(row) ? {} : await resolveManager(tx, workspaceId, fields, id);
  if (manager === null && fields.active !== false) throw reportingManager();
  const changed = Object.entries({ ...fields, ...manager }).filter(([name]) => !kept.has(name as keyof UserFields));
  await save(tx, workspaceId, id, Object.fromEntries(changed));
  return row;
}

function isSame(one: string | null, other: string | null): boolean {
  return one === other || (one !== null && other !== null && addressKey(one) === addressKey(other));
}

async function save(tx: Queryable, workspaceId: number, id: number, fields: Partial<UserFields>): Promise<void> {
  const { manager: _resolved, emails, ...changed } = fields;
  await releaseFromMerged(tx, workspaceId, id, changed);
  await updateMembers(tx, workspaceId, [{ ...changed, id }]);
  if (emails !== undefined) await saveEmails(tx, workspaceId, id, emails ?? []);
}

function severalPeople(workspaceId: number, owners: readonly Owner[]): ScimFailure {
  const people = owners.map(({ field, id }) => `${scimNames[field]} of user ${id}`).join(', ');
  const [into = 0, from = 0] = new Set(owners.map(({ id }) => id));
  return new ScimFailure('conflict', 'uniqueness', `This has ${people}${mergeHint(workspaceId, from, into)}.`);
}
