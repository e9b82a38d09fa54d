import type { Queryable } from '../../ground/database/database.ts';
import { type AttemptLimit, forgetAttempts } from './attempts.ts';

/** The limits of attempts with one employee number, of all networks. With ten digits and 20 guesses a day, a code is guessed in a million years. */
export const kioskLimits: readonly AttemptLimit[] = [
  { name: 'kiosk numbers', most: 3, seconds: 300 },
  { name: 'kiosk numbers of a day', most: 20, seconds: 86_400 },
];

/** What is counted: an employee number, whether a person has it or not. */
export function kioskPerson(workspaceId: number, employeeNumber: string): string {
  return `${workspaceId} ${employeeNumber.trim()}`;
}

/** After a right code, and for a new one, which is not the one that was guessed at. */
export async function forgetKioskAttempts(on: Queryable, workspaceId: number, employeeNumber: string): Promise<void> {
  for (const limit of kioskLimits) await forgetAttempts(on, limit, kioskPerson(workspaceId, employeeNumber));
}
