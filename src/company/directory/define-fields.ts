import type { Actor } from '../../ground/contract/actor.ts';
import type { CustomFieldChange, CustomFieldRecord, NewCustomField } from '../../ground/contract/custom-field.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { Failure, type Fault, invalid } from '../../ground/errors.ts';
import { fold, memberHeaders } from '../../ground/sheets/headers.ts';
import type { AuditAction } from '../../ground/values/audit-actions.ts';
import { type CustomField, mostCustomFields } from '../../ground/values/custom-field.ts';
import { findChoice } from '../../ground/values/custom-value.ts';
import { changesAnything } from '../../ground/values/differences.ts';
import { apiName, memberFieldNames, openFields } from '../../ground/values/member.ts';
import { plainText } from '../../ground/values/text.ts';
import { audit } from '../workspaces/audit.ts';
import { momentOf } from '../workspaces/lock.ts';
import { isInUse, listCustomFields } from './custom-fields.ts';

/*
 * Which custom fields a workspace has. All of these functions are called with the workspace's lock, as are those that write values: no value is
 * checked with a definition that changes meanwhile.
 */

export async function addCustomField(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  { key, ...added }: NewCustomField,
): Promise<CustomField> {
  const fields = await listCustomFields(tx, workspaceId);
  const field: CustomField = {
    key,
    kind: added.kind,
    label: plainText(added.label),
    choices: plain(added.choices ?? []),
  };
  const same = fields.find((one) => fold(one.key) === fold(key));
  if (same) throw new Failure('conflict', `There is a field with the key ${same.key} already: choose another key.`);
  reject([...keyFaults(key), ...labelFaults(fields, field), ...choiceFaults(field)]);
  if (fields.length >= mostCustomFields)
    throw new Failure(
      'invalid',
      `A workspace has at most ${mostCustomFields} custom fields: remove one that is no longer needed first.`,
    );
  if (await isBeingRemoved(tx, workspaceId, key))
    throw new Failure(
      'conflict',
      `The values of a removed field with the key ${key} are still being removed: try again in a minute, or choose another key.`,
    );
  await tx.query(
    `insert into custom_fields (workspace_id, key, label, kind, choices, added_at) values ($1, $2, $3, $4, $5, $6)`,
    [workspaceId, key, field.label, field.kind, field.choices, momentOf(tx, workspaceId)],
  );
  await auditField(tx, actor, workspaceId, 'custom_field.added', field);
  return field;
}

/** Changes the label or the choices. A choice that people have cannot be removed: their values would no longer be valid. */
export async function changeCustomField(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  key: string,
  change: CustomFieldChange,
): Promise<CustomField> {
  const fields = await listCustomFields(tx, workspaceId);
  const field = find(fields, key);
  const changed: CustomField = {
    ...field,
    ...(change.label !== undefined && { label: plainText(change.label) }),
    ...(change.choices !== undefined && { choices: plain(change.choices) }),
  };
  if (!changesAnything(field, changed)) return field;
  const others = fields.filter((one) => one.key !== key);
  reject([...labelFaults(others, changed), ...choiceFaults(changed)]);
  const gone = field.choices.filter((choice) => !changed.choices.includes(choice));
  for (const { choice, people } of gone.length > 0 ? await countChoices(tx, workspaceId, key, gone) : [])
    throw new Failure(
      'conflict',
      `The choice ${choice} is the value of ${people === 1 ? '1 person' : `${people} people`}: give them another one first, or keep it.`,
    );
  await tx.query('update custom_fields set label = $3, choices = $4 where workspace_id = $1 and key = $2', [
    workspaceId,
    key,
    changed.label,
    changed.choices,
  ]);
  await auditField(tx, actor, workspaceId, 'custom_field.changed', changed);
  return changed;
}

/** Removes a field. From now on no caller reads its values, and workers remove them: see `removed-fields.ts`. */
export async function removeCustomField(tx: Queryable, actor: Actor, workspaceId: number, key: string): Promise<void> {
  const field = find(await listCustomFields(tx, workspaceId), key);
  await tx.query('update custom_fields set removed_at = $3 where workspace_id = $1 and key = $2', [
    workspaceId,
    key,
    momentOf(tx, workspaceId),
  ]);
  await auditField(tx, actor, workspaceId, 'custom_field.removed', field);
}

/** A field, and how many people have a value. */
export async function readCustomField(on: Queryable, workspaceId: number, key: string): Promise<CustomFieldRecord> {
  const field = find(await listCustomFields(on, workspaceId), key);
  const { people } = await queryOne<{ people: number }>(
    on,
    'select count(*) as people from members m where m.workspace_id = $1 and m.custom is not null and m.custom ? $2',
    [workspaceId, key],
  );
  return { ...field, people };
}

function find(fields: readonly CustomField[], key: string): CustomField {
  const field = fields.find((one) => one.key === key);
  if (!field) throw new Failure('missing', 'There is no custom field with this key in this workspace.');
  return field;
}

async function isBeingRemoved(tx: Queryable, workspaceId: number, key: string): Promise<boolean> {
  const rows = await tx.query(
    `select from custom_fields f where f.workspace_id = $1 and lower(f.key) = lower($2) and not ${isInUse('f')}`,
    [workspaceId, key],
  );
  return rows.length > 0;
}

function countChoices(tx: Queryable, workspaceId: number, key: string, choices: readonly string[]) {
  return tx.query<{ choice: string; people: number }>(
    `select m.custom ->> $2 as choice, count(*) as people
       from members m
      where m.workspace_id = $1
        and m.custom is not null
        and m.custom ->> $2 = any($3::text[])
      group by 1
      order by 2 desc, 1
      limit 1`,
    [workspaceId, key, choices],
  );
}

function auditField(tx: Queryable, actor: Actor, workspaceId: number, action: AuditAction, field: CustomField) {
  const { key, label, kind, choices } = field;
  return audit(tx, { workspaceId, actor, action, subject: { id: key, name: label }, detail: { kind, choices } });
}

const plain = (choices: readonly string[]) => choices.map((choice) => plainText(choice));

/** Names that files, the API or SCIM have already. The usual headers of HR systems are free: a defined field is more specific. */
const ownNames = new Set(
  [...Object.keys(memberHeaders), ...memberFieldNames, ...openFields.map(apiName), 'id', 'line', 'reason'].map(fold),
);

/** Words by which a field is one of a date or a year of birth, in any language that files are read in. */
const birthWords = [
  ...[
    'birthday',
    'birthdate',
    'dateofbirth',
    'yearofbirth',
    'birthyear',
    'bornon',
    'geburtstag',
    'geburtsdatum',
    'geburtsjahr',
  ],
  ...['datedenaissance', 'anneedenaissance', 'fechadenacimiento', 'anodenacimiento', 'cumpleanos'],
];

/** The year of birth is never stored. People have a birthday without it. */
function birthFaults(path: string, text: string): Fault[] {
  const name = fold(text).normalize('NFKD').replace(/\p{M}/gu, '');
  const isBirth = name === 'dob' || birthWords.some((word) => name.includes(word));
  return isBirth
    ? [{ path, problem: 'must not be a date or a year of birth: people have a birthday, of which no year is stored' }]
    : [];
}

function keyFaults(key: string): Fault[] {
  const faults = birthFaults('key', key);
  if (faults.length > 0) return faults;
  return ownNames.has(fold(key)) ? [{ path: 'key', problem: 'is the name of a field that every person has' }] : [];
}

function labelFaults(others: readonly CustomField[], { key, label }: CustomField): Fault[] {
  const name = fold(label);
  if (name === '') return [{ path: 'label', problem: 'must have a letter or a digit' }];
  const faults = birthFaults('label', label);
  if (faults.length > 0) return faults;
  if (ownNames.has(name) && name !== fold(key))
    return [{ path: 'label', problem: 'is the name of a field that every person has' }];
  const same = others.find((one) => fold(one.label) === name || fold(one.key) === name);
  const byKey = others.find((one) => fold(one.label) === fold(key));
  const taken = same ?? byKey;
  return taken ? [{ path: same ? 'label' : 'key', problem: `is the name of the field ${taken.key} already` }] : [];
}

function choiceFaults({ kind, choices }: CustomField): Fault[] {
  if (kind !== 'CHOICE')
    return choices.length === 0 ? [] : [{ path: 'choices', problem: 'are for a field of the kind CHOICE' }];
  if (choices.length === 0) return [{ path: 'choices', problem: 'must have at least one choice' }];
  const repeated = choices.find((choice, nth) => findChoice(choices.slice(0, nth), choice) !== undefined);
  if (repeated !== undefined) return [{ path: 'choices', problem: `has ${repeated} twice` }];
  return choices.some((choice) => choice.trim() === '') ? [{ path: 'choices', problem: 'has an empty choice' }] : [];
}

function reject(faults: readonly Fault[]): void {
  if (faults.length > 0) throw invalid(faults);
}
