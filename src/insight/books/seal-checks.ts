import {
  chainHash,
  noRecord,
  type SealedRecord,
  sealedText,
  sealHash,
  sealVersion,
} from '../../company/workspaces/seals.ts';
import { giftRecord } from '../../giving/gifts/sealed.ts';
import { orderRecord } from '../../giving/orders/sealed.ts';
import { sealedRecords } from './sealed.ts';

const uuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const withIds = sealedRecords.filter(({ at }) => at('key').includes('::bigint')).map(({ name }) => `'${name}'`);

/** An id in a key that can be cast; null: it was changed with SQL. */
export const idIn = (key: string) => `case when ${key} ~ '^[0-9]{1,18}$' then ${key}::bigint end`;

/** Whether the key of a line of a seal can be that of a record. Another one is a problem of its seal, and cannot be cast. */
export const isKey = (line: string) => `
  case when ${line}.record = '${orderRecord.name}' then ${line}.key ~ '^${uuid}$'
       when ${line}.record = '${giftRecord.name}' then ${line}.key ~ '^${uuid}/[0-9]{1,8}$'
       when ${line}.record in (${withIds.join(', ')}) then ${line}.key ~ '^[0-9]{1,18}$'
       else true
  end`;

type RowsOf = (table: string) => string;

/**
 * What is wrong with the chains of the seals `rows`: rows of workspace_id and problem. `isNew`, a condition on the seal `s`, leaves out one that
 * only the next refers to.
 */
export function sealChain(rows: string, isFirstOfHistory: (number: string) => string, isNew = 'true'): string {
  const hash = chainHash({
    previous: 's.previous',
    workspaceId: 's.workspace_id',
    number: 's.number',
    version: 's.version',
    at: 's.at',
    records: 's.records',
    keys: 's.keys',
    joined: `(select string_agg(one, '' order by nth) from unnest(s.hashes) with ordinality as line (one, nth))`,
  });
  return `
  select s.workspace_id,
         case when not (${isNew}) then null
              when s.number <> coalesce(lag(s.number) over chain, 0) + 1 and not ${isFirstOfHistory('s.number')}
                   then format('A seal before seal %s is missing.', s.number)
              when s.previous <> coalesce(lag(s.hash) over chain, ${noRecord})
                   then format('Seal %s does not carry the hash of the seal before it.', s.number)
              when s.hash <> ${hash} then format('The fields of seal %s do not have its hash: it was changed.', s.number)
              when exists (select from unnest(s.records, s.keys) as line (record, key) where not ${isKey('line')})
                   then format('Seal %s names a record that cannot exist: it was changed.', s.number)
         end as problem
    from ${rows} s
  window chain as (partition by s.workspace_id order by s.number)`;
}

/**
 * What is wrong with sealed records: rows of workspace_id and problem. Gifts are most of them, and have a separate statement, so that two connections
 * share the work.
 */
export function sealChecks(rowsOf: RowsOf): string[] {
  const isGifts = `line.record = '${giftRecord.name}'`;
  const others = sealedRecords.filter((record) => record !== giftRecord);
  return [compareSealed(rowsOf, [giftRecord], isGifts), compareSealed(rowsOf, others, `not ${isGifts}`)];
}

/** What is wrong with some of the records of some kinds. `rows` limits the rows of each kind, `which` the lines of seals (`line.record`, `line.key`). */
export function compareSome(
  rowsOf: RowsOf,
  some: readonly { record: SealedRecord; rows: string }[],
  which: string,
): string {
  const limited = some.map(({ record, rows }) => ({ ...record, where: `${record.where ?? 'true'} and ${rows}` }));
  const names = limited.map(({ name }) => `'${name}'`).join(', ');
  return compareSealed(rowsOf, limited, `case when line.record in (${names}) then ${which} else false end`);
}

/**
 * Compares records with their latest seals. A seal of a later version is that of a node of the next release, which serves beside this one: it
 * has other columns, so it cannot be compared.
 */
function compareSealed(rowsOf: RowsOf, records: readonly SealedRecord[], which: string): string {
  const called = records.map(({ name, called }) => `when '${name}' then ${called('key')}`).join(' ');
  return `
  with latest as (
    select distinct on (workspace_id, record, key)
           s.workspace_id, line.record collate "C" as record, line.key collate "C" as key, s.number, s.version, line.hash
      from ${rowsOf('seals')} s
     cross join unnest(s.records, s.keys, s.hashes) as line (record, key, hash)
     where case when ${which} then ${isKey('line')} else false end
     order by workspace_id, record, key, s.number desc
  ),
  present as (${records
    .map((record) => hashesOf(rowsOf, record))
    .join(`
     union all`)}
  )
  select workspace_id,
         case when l.hash is null then format('%s has no seal: it was added with SQL.', called)
              when l.version > ${sealVersion} or l.hash = coalesce(p.hash, ${noRecord}) then null
              when p.hash is null then format('%s is not there, and seal %s has it.', called, l.number)
              else format('%s was changed after seal %s.', called, l.number)
         end as problem
    from present p
    full join latest l using (workspace_id, record, key)
   cross join lateral (select case record ${called} end as called) as name`;
}

function hashesOf(rowsOf: RowsOf, record: SealedRecord): string {
  const { name, key, joins = '', where = 'true', group, tables } = record;
  const { table, alias } = tables[0];
  return `
    select ${alias}.workspace_id, '${name}' collate "C" as record, (${key}) collate "C" as key, ${sealHash(sealedText(record))} as hash
      from ${rowsOf(table)} ${alias} ${joins}
     where ${where}
     ${group ? `group by ${alias}.workspace_id, ${group.by}` : ''}`;
}
