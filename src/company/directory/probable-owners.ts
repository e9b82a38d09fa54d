import type { Queryable } from '../../ground/database/database.ts';
import { readShortened } from '../../ground/sheets/cells.ts';
import { hasNumber, survivorOf } from './who.ts';

/** Employee numbers with more digits are not filled up with zeros. */
const mostDigits = 12;

/**
 * The members whom employee numbers probably identify that a spreadsheet has damaged: 77 stands for 0077, and 1.23457E+11 for a number of
 * twelve digits. Only where one member comes into question. It decides nothing: a person has to confirm it.
 */
export async function probableOwners(
  on: Queryable,
  workspaceId: number,
  numbers: readonly string[],
): Promise<Map<string, number>> {
  const longer = numbers.flatMap((number) => withZeros(number).map((one) => ({ number, one })));
  const ranges = numbers.flatMap((number) => {
    const range = readShortened(number);
    return range ? [{ number, ...range }] : [];
  });
  if (longer.length === 0 && ranges.length === 0) return new Map();
  const found = await on.query<{ number: string; id: number }>(
    `select number, min(id) as id
       from (select asked.number, ${survivorOf('m')} as id
               from unnest($2::text[], $3::text[]) as asked (number, longer)
               join members m on m.workspace_id = $1 and ${hasNumber('m', 'asked.longer')}
              union all
             select asked.number, ${survivorOf('m')}
               from unnest($4::text[], $5::text[], $6::text[]) as asked (number, lowest, highest)
               join members m on m.workspace_id = $1
                             and m.employee_number ~ '^[0-9]+$'
                             and length(m.employee_number) = length(asked.lowest)
                             and m.employee_number collate "C" between asked.lowest and asked.highest) as owners
      group by number
     having count(distinct id) = 1`,
    [
      workspaceId,
      longer.map(({ number }) => number),
      longer.map(({ one }) => one),
      ranges.map(({ number }) => number),
      ranges.map(({ lowest }) => lowest),
      ranges.map(({ highest }) => highest),
    ],
  );
  return new Map(found.map(({ number, id }) => [number, id]));
}

function withZeros(number: string): string[] {
  if (!/^\d+$/.test(number)) return [];
  return Array.from({ length: Math.max(0, mostDigits - number.length) }, (_, nth) => '0'.repeat(nth + 1) + number);
}
