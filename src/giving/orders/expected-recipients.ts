import { type RecipientPerson, takeIn } from '../../company/directory/recipient-rules.ts';
import { knowPeople, readRecipientLines } from '../../company/directory/recipients.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { readPendingLines } from './pending-lines.ts';
import type { SoundOrder } from './sound-parts.ts';

/** Whom the gifts of an order would go to, as if the orders that wait were fulfilled. Null for invalid recipients. */
export async function findRecipients(
  on: Queryable,
  workspaceId: number,
  { orderItems }: SoundOrder,
): Promise<(RecipientPerson | null)[]> {
  const named = orderItems.flatMap(({ recipient }) => recipient ?? []);
  const lines = await readRecipientLines(on, workspaceId, named);
  const people = takeIn(await knowPeople(on, workspaceId, lines, readPendingLines), lines).values();
  return orderItems.map(({ recipient }) => (recipient === null ? null : (people.next().value as RecipientPerson)));
}
