import assert from 'node:assert/strict';
import { guessMapping } from '../../console/src/screens/bulk/file/columns.ts';
import { readSheet, type Sheet } from '../../console/src/screens/bulk/file/read.ts';
import { type Common, type Corrections, readRows } from '../../console/src/screens/bulk/file/rows.ts';

/** What a screen has before anybody has entered anything. */
export const common: Common = {
  message: '',
  amount: null,
  currency: 'CAD',
  language: 'EN_CA',
  languages: ['EN_CA', 'FR_CA', 'EN_US', 'ES_MX'],
  deliverAt: null,
  dateOrder: null,
  reasons: [],
};

export async function openSheet(csv: string): Promise<Sheet> {
  const sheet = await readSheet('gifts.csv', csv);
  assert.ok(!('is' in sheet), JSON.stringify(sheet));
  return sheet;
}

/** A file as the screen reads it, with the columns that it guesses. */
export async function readGifts(csv: string, own: Partial<Common> = {}, corrections: Corrections = new Map()) {
  const sheet = await openSheet(csv);
  const mapping = guessMapping(sheet);
  return { sheet, mapping, ...readRows(sheet, mapping, { ...common, ...own }, corrections, new Date('2026-11-18')) };
}
