import { askBrowser } from '../../data/browser-store.ts';
import type { Owner } from '../../data/owner.ts';
import type { Mapping } from './file/columns.ts';
import type { Sheet } from './file/read.ts';
import type { Corrections } from './file/rows.ts';
import type { DateOrder } from './file/when.ts';
import type { Choice } from './verdicts.ts';

/** What the gifts of a file have in common, as the fields have it. */
export interface Shared {
  currency: string;
  language: string;
  deliverAt: string;
  message: string;
  amount: number | null;
  dateOrder: DateOrder;
}

/** A file that is being checked, with the decisions about its rows, so that a reload loses nothing. */
export interface KeptSheet {
  sheet: Sheet;
  mapping: Mapping;
  corrections: Corrections;
  choices: ReadonlyMap<number, Choice>;
  shared: Shared;
}

/** One for each person and workspace. */
export async function keepSheet(owner: Owner, kept: KeptSheet): Promise<void> {
  await askBrowser('sheets', 'readwrite', (sheets) => sheets.put({ ...kept, ...owner }));
}

export async function forgetSheet(owner: Owner): Promise<void> {
  await askBrowser('sheets', 'readwrite', (sheets) => sheets.delete(keyOf(owner)));
}

export async function readKeptSheet(owner: Owner): Promise<KeptSheet | null> {
  return (await askBrowser<KeptSheet | undefined>('sheets', 'readonly', (sheets) => sheets.get(keyOf(owner)))) ?? null;
}

function keyOf({ workspaceId, userId }: Owner): number[] {
  return [workspaceId, userId];
}
