import { type TableOfData, technicalColumns } from '../values/personal.ts';

export const backupData: readonly TableOfData[] = [
  {
    table: 'backups',
    holds: 'backups that were written',
    columns: technicalColumns('names of files and errors', 'file', 'failure'),
  },
];
