import { askBrowser } from '../../data/browser-store.ts';
import type { Field, Mapping } from './file/columns.ts';
import type { Sheet } from './file/read.ts';
import type { Shared } from './use-sheet.ts';
import type { Choice } from './verdicts.ts';

/** A file that is being checked, with what somebody decided about its rows, so that a reload loses nothing. */
export interface KeptSheet {
  sheet: Sheet;
  mapping: Mapping;
  corrections: ReadonlyMap<number, Partial<Record<Field, string>>>;
  choices: ReadonlyMap<number, Choice>;
  shared: Shared;
}

/** One for each workspace. */
export async function keepSheet(workspaceId: number, kept: KeptSheet): Promise<void> {
  await askBrowser('sheets', 'readwrite', (sheets) => sheets.put({ ...kept, workspaceId }));
}

export async function forgetSheet(workspaceId: number): Promise<void> {
  await askBrowser('sheets', 'readwrite', (sheets) => sheets.delete(workspaceId));
}

export async function readKeptSheet(workspaceId: number): Promise<KeptSheet | null> {
  return (await askBrowser<KeptSheet | undefined>('sheets', 'readonly', (sheets) => sheets.get(workspaceId))) ?? null;
}
