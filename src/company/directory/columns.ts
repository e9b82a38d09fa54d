import { type MemberFieldName, memberFieldNames, memberFields } from '../../ground/values/member.ts';

/** The columns of these fields, of the record `alias`. */
export function columnsOf(alias: string, names: readonly MemberFieldName[] = memberFieldNames): string[] {
  return names.map((name) => `${alias}.${memberFields[name].column}`);
}

/** Selects these fields of the record `alias` under their names. */
export function selectFields(alias: string, names: readonly MemberFieldName[]): string {
  return names.map((name) => `${alias}.${memberFields[name].column} as "${name}"`).join(', ');
}

/** The names and the columns of these fields, for json_build_object. */
export function jsonFields(alias: string, names: readonly MemberFieldName[]): string {
  return names.map((name) => `'${name}', ${alias}.${memberFields[name].column}`).join(', ');
}

/** Sets the column of each field. A field without a value stays as it is. */
export function setFields(setTo: (name: MemberFieldName, column: string) => string | null): string {
  return memberFieldNames
    .flatMap((name) => {
      const { column } = memberFields[name];
      const value = setTo(name, column);
      return value === null ? [] : [`${column} = ${value}`];
    })
    .join(',\n         ');
}
