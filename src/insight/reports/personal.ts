import { type TableOfData, technical } from '../../ground/values/personal.ts';

export const reportsData: readonly TableOfData[] = [
  {
    table: 'report_snapshots',
    holds: 'what reports keep in memory',
    columns: { format: technical('the version of a format') },
  },
  {
    table: 'report_snapshot_parts',
    holds: 'what reports keep in memory',
    columns: { data: technical('ids, days and groups such as departments, without names') },
  },
];
