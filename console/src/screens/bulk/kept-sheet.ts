import { askBrowser } from '../../data/browser-store.ts';
import type { Owner } from '../../data/owner.ts';
import type { Mapping } from './file/columns.ts';
import type { Sheet } from './file/read.ts';
import type { Corrections } from './file/rows.ts';
import type { Shared } from './use-sheet.ts';
import type { Choice } from './verdicts.ts';

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
  const kept = await askBrowser<KeptSheet | undefined>('sheets', 'readonly', (sheets) => sheets.get(keyOf(owner)));
  // An earlier version of the console kept no first row.
  return kept?.sheet.first ? kept : null;
}

function keyOf({ workspaceId, userId }: Owner): number[] {
  return [workspaceId, userId];
}
