import { type DateOrder, OrderProofs, orderFormats } from '../../ground/sheets/date-order.ts';
import { readDate, readMonthDay } from '../../ground/sheets/dates.ts';
import { fileFields, memberFields } from '../../ground/values/member.ts';
import { customColumn, type Field } from './columns.ts';
import type { FileRow } from './file-row.ts';
import { type RowReading, readField } from './person.ts';

type DateColumn = [field: Field, read: typeof readDate];

/** The columns of the file that hold dates, each with its reader. */
function dateColumns({ columns, custom }: RowReading): DateColumn[] {
  const all: DateColumn[] = [
    ['leavingDate', readDate],
    ...fileFields.flatMap((name): DateColumn[] => {
      const { kind } = memberFields[name];
      if (kind === 'monthDay') return [[name, readMonthDay]];
      return kind === 'date' ? [[name, readDate]] : [];
    }),
    ...custom.flatMap(({ key, kind }): DateColumn[] => (kind === 'DATE' ? [[customColumn(key), readDate]] : [])),
  ];
  return all.filter(([field]) => columns.has(field));
}

/** The dates of these rows that may be two days. */
export function ambiguousDates(rows: readonly FileRow[], reading: RowReading): { field: Field; text: string }[] {
  const columns = dateColumns(reading);
  return rows.flatMap((row) =>
    columns.flatMap(([field, read]) => {
      const text = readField(row, field, reading);
      const date = text ? read(text, reading.dateFormat) : null;
      return text && date && 'problem' in date && date.problem === 'ambiguous' ? [{ field, text }] : [];
    }),
  );
}

/** What an import knows of the dates of its file. */
interface Dated {
  reading: RowReading;
  dateOrder: DateOrder | null | undefined;
  readAgain: (() => AsyncIterable<FileRow>) | undefined;
  isStopped(): boolean;
}

/** The first date that may be two days is read as the other dates of the file prove, and so are all after it. */
export async function settleDates(run: Dated, batch: readonly FileRow[]): Promise<void> {
  const { reading, readAgain } = run;
  if (!readAgain || reading.dateFormat || run.dateOrder !== undefined) return;
  if (ambiguousDates(batch, reading).length === 0) return;
  run.dateOrder = await findDateOrder(readAgain(), reading, run.isStopped);
  if (run.dateOrder) reading.dateFormat = orderFormats[run.dateOrder];
}

/** Reads the whole file for the order that its dates prove. Null if it proves none, or cannot be read to its end. */
async function findDateOrder(
  rows: AsyncIterable<FileRow>,
  reading: RowReading,
  isStopped: () => boolean,
): Promise<DateOrder | null> {
  const proofs = new OrderProofs();
  const columns = dateColumns(reading);
  try {
    for await (const row of rows) {
      if (isStopped()) return null;
      for (const [field] of columns) proofs.add(readField(row, field, reading) ?? '');
    }
  } catch {
    // The import comes to the same fault, and reports it.
    return null;
  }
  return proofs.order;
}
