import { type Database, lookUpByKey } from '../../ground/database/database.ts';
import { addressKey } from '../../ground/values/email.ts';
import { identify } from '../directory/identify.ts';
import { inBatches } from './batches.ts';
import type { Field } from './columns.ts';
import type { FileRow } from './file-row.ts';
import { KeyFilter } from './keys.ts';
import { managerKeys } from './manager-keys.ts';
import { type RowReading, readField } from './person.ts';
import { type RowNames, RowsAhead } from './rows-ahead.ts';

interface Ahead {
  database: Database;
  workspaceId: number;
  reading: RowReading;
  /** The import has taken the rows up to this line. */
  fromLine: number;
  isStopped(): boolean;
}

const rowsAtOnce = 2_000;

/**
 * Reads the file once more, ahead of the import, for the rows of managers who come later than their people. Only rows are kept whose
 * people come to the same whenever they are taken: people whom the directory does not know, and no earlier row of the file is about.
 */
export async function readAhead(records: AsyncIterable<FileRow>, ahead: Ahead): Promise<RowsAhead> {
  const { database, workspaceId, reading } = ahead;
  const namesOf = (record: FileRow) => readNames(record, reading);
  const rows = new RowsAhead(namesOf);
  for await (const batch of inBatches(managersIn(records, namesOf, ahead), rowsAtOnce)) {
    const known = await database.transaction(async (tx) => {
      await lookUpByKey(tx);
      return identify(tx, workspaceId, batch.map(namesOf));
    });
    for (const [nth, record] of batch.entries())
      if (known[nth]?.byEmail === null && known[nth].byEmployeeNumber === null) rows.add(record);
  }
  return rows;
}

/** The rows that name a manager of an earlier row, and no person whom an earlier row is about. */
async function* managersIn(
  records: AsyncIterable<FileRow>,
  namesOf: (record: FileRow) => RowNames,
  { fromLine, isStopped }: Ahead,
): AsyncGenerator<FileRow> {
  const [people, managers] = [new KeyFilter(), new KeyFilter()];
  try {
    for await (const record of records) {
      if (isStopped()) return;
      const { email, employeeNumber, manager } = namesOf(record);
      const keys = [...(email ? [addressKey(email)] : []), ...(employeeNumber ? [employeeNumber] : [])];
      const isManager = keys.some((key) => managers.mayHave(key)) && !keys.some((key) => people.mayHave(key));
      for (const key of keys) people.add(key);
      for (const key of manager ? managerKeys(manager) : []) {
        managers.add(key);
        managers.add(addressKey(key));
      }
      if (isManager && record.line > fromLine && record.problem === undefined) yield record;
    }
  } catch {
    // The import comes to the same fault, and reports it.
  }
}

function readNames(record: FileRow, reading: RowReading): RowNames {
  const read = (field: Field) => readField(record, field, reading) ?? undefined;
  return { email: read('email'), employeeNumber: read('employeeNumber'), manager: read('manager') };
}
