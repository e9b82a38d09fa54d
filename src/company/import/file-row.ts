import type { CsvRecord } from '../../ground/sheets/records.ts';

/** A row of the file that is imported. */
export interface FileRow extends CsvRecord {
  /** The import takes the row before or after its place in the file. */
  isOutOfPlace?: boolean;
}
