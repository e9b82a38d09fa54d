import { type TableOfData, technicalColumns } from '../values/personal.ts';

const server = 'about the database server';

export const databaseData: readonly TableOfData[] = [
  { table: 'installation', holds: 'which installation this is', columns: technicalColumns(server, 'environment') },
  {
    table: 'histories',
    holds: 'when the database went back in time',
    columns: technicalColumns(
      server,
      'reason',
      'system_identifier',
      'timeline',
      'database_oid',
      'table_oid',
      'storage',
    ),
  },
  { table: 'migrations', holds: 'migrations that ran', columns: technicalColumns(server, 'name', 'previous_release') },
  { table: 'migration_checksums', holds: 'their checksums', columns: technicalColumns(server, 'name', 'sha256') },
];
