import { type Field, fieldsText, type HeaderMap, isField } from '../../../../company/import/columns.ts';
import { isEncoding } from '../../../../company/import/decode.ts';
import type { ImportOptions } from '../../../../company/import/import.ts';
import type { ValueMap } from '../../../../company/import/person.ts';
import { foldStatus, type StatusMap } from '../../../../company/import/status.ts';
import type { ImportQuery } from '../../../../ground/contract/member-import.ts';
import { invalid } from '../../../../ground/errors.ts';
import { parseDateFormat } from '../../../../ground/sheets/dates.ts';
import { isObject } from '../../../../ground/values/differences.ts';

/** How the query says that a file is read. */
export function importOptions(query: ImportQuery): Partial<ImportOptions> {
  const { encoding, map, status, value, dateFormat, allowLeavers, renumber } = query;
  if (encoding !== undefined && !isEncoding(encoding))
    throw invalid([{ path: 'encoding', problem: 'must be the name of an encoding, for example windows-1252' }]);
  const format = dateFormat === undefined ? undefined : parseDateFormat(dateFormat.trim());
  if (dateFormat !== undefined && !format)
    throw invalid([{ path: 'dateFormat', problem: 'must be made of DD, MM and YYYY, as DD/MM/YYYY' }]);
  return {
    encoding,
    headers: map === undefined ? undefined : readMap(map),
    statuses: status === undefined ? undefined : readStatuses(status),
    values: value === undefined ? undefined : readValues(value),
    dateFormat: format ?? undefined,
    allowedLeavers: allowLeavers,
    ...(renumber && { renumbering: 'all' as const }),
  };
}

function readMap(text: string): HeaderMap {
  const map = parsed(text);
  if (!isObject(map) || !Object.values(map).every((field) => field === null || isField(field)))
    throw invalid([
      {
        path: 'map',
        problem: `must be a JSON object of headers and fields, with null or one of ${fieldsText}`,
      },
    ]);
  return new Map(Object.entries(map) as [string, Field | null][]);
}

function readStatuses(text: string): StatusMap {
  const map = parsed(text);
  const isMeaning = (meaning: unknown) => meaning === 'active' || meaning === 'left';
  if (!isObject(map) || !Object.values(map).every(isMeaning))
    throw invalid([{ path: 'status', problem: 'must be a JSON object of statuses, each with "active" or "left"' }]);
  return new Map(
    Object.entries(map).map(([status, meaning]) => [foldStatus(status), meaning === 'active' ? 'here' : 'left']),
  );
}

function readValues(text: string): ValueMap {
  const map = parsed(text);
  const isTexts = (one: unknown) => isObject(one) && Object.values(one).every((to) => typeof to === 'string');
  if (!isObject(map) || !Object.keys(map).every(isField) || !Object.values(map).every(isTexts))
    throw invalid([
      {
        path: 'value',
        problem: `must be a JSON object of fields, each with an object of texts and their meanings; the fields are ${fieldsText}`,
      },
    ]);
  return new Map(
    Object.entries(map as Record<Field, Record<string, string>>).map(([field, texts]) => [
      field as Field,
      new Map(Object.entries(texts).map(([from, to]) => [from.trim().toLowerCase(), to.trim()])),
    ]),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
