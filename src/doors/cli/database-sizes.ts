import type { Command } from 'commander';
import { readTableSizes, type TableSize } from '../../ground/database/sizes.ts';
import { print, table } from './output.ts';
import { withDatabase } from './session.ts';

interface Sizes {
  gifts: number;
  orders: number;
  bytes: number;
  tables: TableSize[];
}

export function addSizesCommand(database: Command): void {
  database
    .command('sizes')
    .description('print the size of each table, and how much that is for a gift')
    .option('--json', 'print one JSON object')
    .action(async ({ json }: { json?: boolean }) => {
      const sizes = summarize(await withDatabase((opened) => readTableSizes(opened)));
      print(json, sizes, () => describe(sizes));
    });
}

function summarize(tables: TableSize[]): Sizes {
  const rowsOf = (name: string) => tables.find((one) => one.table === name)?.rows ?? 0;
  const bytes = tables.reduce((sum, one) => sum + one.bytes + one.indexBytes, 0);
  return { gifts: rowsOf('certificates'), orders: rowsOf('order_requests'), bytes, tables };
}

function describe({ gifts, orders, bytes, tables }: Sizes): string {
  const perGift = (size: number) => (gifts > 0 ? Math.round(size / gifts) : '');
  const rows = tables
    .filter((one) => one.rows > 0)
    .map((one) => [
      one.table,
      Math.round(one.rows).toLocaleString('en'),
      megabytes(one.bytes),
      megabytes(one.indexBytes),
      perGift(one.bytes + one.indexBytes),
    ]);
  return [
    table(['Table', 'Rows, about', 'MB', 'MB of indexes', 'Bytes for a gift'], rows),
    `\n${megabytes(bytes)} MB for ${gifts.toLocaleString('en')} gifts in ${orders.toLocaleString('en')} orders.`,
  ].join('\n');
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
