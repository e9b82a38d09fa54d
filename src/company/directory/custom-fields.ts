import type { Queryable } from '../../ground/database/database.ts';
import type { Fault } from '../../ground/errors.ts';
import type { CustomChange, CustomField, CustomValue, CustomValues } from '../../ground/values/custom-field.ts';
import { type ReadValue, readCustomValue } from '../../ground/values/custom-value.ts';

/** True for a field `alias` that is in use: the values of others are being removed. */
export function isInUse(alias: string): string {
  return `${alias}.removed_at is null`;
}

/** The custom fields of a workspace, in the sequence in which they were added. */
export function listCustomFields(on: Queryable, workspaceId: number): Promise<CustomField[]> {
  return on.query<CustomField>(
    `select f.key, f.label, f.kind, f.choices
       from custom_fields f
      where f.workspace_id = $1
        and ${isInUse('f')}
      order by f.added_at, f.key`,
    [workspaceId],
  );
}

/** The values of the member `alias`, of the workspace that the expression names, without those of removed fields; null without any. */
export function customOf(alias: string, workspaceId = '$1::bigint'): string {
  return `case when ${alias}.custom is not null then
            nullif(${alias}.custom - array(select f.key from custom_fields f
                                            where f.workspace_id = ${workspaceId} and not ${isInUse('f')}), '{}') end`;
}

/** The values that a change has, by key, in the form in which they are stored. The faults say what is wrong with the others. */
export function readCustomChange(
  fields: readonly CustomField[],
  sent: Readonly<Record<string, unknown>>,
  read: (field: CustomField, value: unknown) => ReadValue = readCustomValue,
): { change: CustomChange; faults: Fault[] } {
  const change: Record<string, CustomValue | null> = {};
  const faults: Fault[] = [];
  for (const [key, value] of Object.entries(sent)) {
    const field = fields.find((one) => one.key === key);
    const result = field ? read(field, value) : { problem: unknownField(fields) };
    if ('problem' in result) faults.push({ path: `custom.${key}`, problem: result.problem });
    else change[key] = result.value;
  }
  return { change, faults };
}

/** What is wrong with a key that is no field. */
function unknownField(fields: readonly CustomField[]): string {
  const keys = fields.map(({ key }) => key).join(', ');
  return `is no custom field of this workspace: ${keys ? `use one of ${keys}, or define it first` : 'define it first'}`;
}

/** The values of a new person. */
export function valuesOf(change: CustomChange): CustomValues | null {
  const set = Object.entries(change).filter(([, value]) => value !== null);
  return set.length === 0 ? null : (Object.fromEntries(set) as CustomValues);
}
