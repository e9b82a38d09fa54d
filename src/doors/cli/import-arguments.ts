import { InvalidArgumentError } from 'commander';
import { type Field, fieldsText, isField } from '../../company/import/columns.ts';
import type { ValueMap } from '../../company/import/person.ts';
import type { Renumbering } from '../../company/import/plan.ts';
import { foldStatus, type StatusMap } from '../../company/import/status.ts';
import { type DateFormat, parseDateFormat } from '../../ground/sheets/dates.ts';
import { addressKey } from '../../ground/values/email.ts';

/** `A=active,T=left`, and may be given more than once. */
export function statusMap(text: string, earlier: StatusMap = new Map()): StatusMap {
  const meanings = text.split(',').map((part) => {
    const at = part.lastIndexOf('=');
    const meaning = part
      .slice(at + 1)
      .trim()
      .toLowerCase();
    const status = foldStatus(part.slice(0, Math.max(at, 0)));
    if (status === '' || (meaning !== 'active' && meaning !== 'left'))
      throw new InvalidArgumentError('It must be status=active or status=left, for example A=active,T=left.');
    return [status, meaning === 'active' ? 'here' : 'left'] as const;
  });
  return new Map([...earlier, ...meanings]);
}

/** `field:value=meaning`, and may be given more than once. */
export function valueMap(text: string, earlier: ValueMap = new Map()): ValueMap {
  const [, name = '', value = '', meaning = ''] = /^\s*([\w.]+)\s*:(.+)=(.*)$/s.exec(text) ?? [];
  const field = isField(name) ? name : undefined;
  if (field === undefined || value.trim() === '')
    throw new InvalidArgumentError(`It must be field:value=meaning, with one of ${fieldsText}.`);
  const values = new Map<Field, ReadonlyMap<string, string>>(earlier);
  return values.set(field, new Map([...(earlier.get(field) ?? []), [value.trim().toLowerCase(), meaning.trim()]]));
}

export function dateFormat(text: string): DateFormat {
  const format = parseDateFormat(text.trim());
  if (!format)
    throw new InvalidArgumentError('It must be made of DD, MM and YYYY, for example DD/MM/YYYY or MM/DD/YYYY.');
  return format;
}

/** Email addresses with commas, or `all`, and may be given more than once. */
export function renumbering(text: string, earlier: Renumbering = new Set()): Renumbering {
  if (text.trim() === 'all' || earlier === 'all') return 'all';
  const addresses = text.split(',').map((part) => addressKey(part.trim()));
  if (addresses.some((address) => !address.includes('@')))
    throw new InvalidArgumentError('It must be email addresses with commas between them, or all.');
  return new Set([...earlier, ...addresses]);
}

/** A whole number; 0 allows no leaver. */
export function leaverCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
