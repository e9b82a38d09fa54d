import { because, type TableOfData, technical } from '../../ground/values/personal.ts';

export const importData: readonly TableOfData[] = [
  { table: 'open_imports', holds: 'what an import has changed so far', columns: { counts: technical(because.counts) } },
];
