import type { Actor } from '../../ground/contract/actor.ts';
import type { Redemption } from '../../ground/contract/redemption.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { listRedemptions, type RedemptionFilters } from './read.ts';

export const redemptionCsvColumns = [
  'id',
  'state',
  'kind',
  'spendingOption',
  'spendingOptionName',
  'taxType',
  'retailer',
  'amount',
  'currency',
  'redeemedAt',
  'finishedAt',
  'reference',
  'note',
  'payrollExport',
  'giftId',
  'requestId',
  'memberId',
  'firstName',
  'lastName',
  'email',
  'employeeNumber',
  'redeemedBy',
  'finishedBy',
  'requestText',
];

const atOnce = 500;

/** All redemptions that fit, the newest first, as pieces and a function that reads a piece. A piece is where the one before ended. */
export function redemptionPieces(on: Queryable, workspaceId: number, filters: RedemptionFilters) {
  let next: number | null | undefined;
  function* pieces(): Generator<number | undefined> {
    while (next !== null) yield next;
  }
  async function read(after: number | undefined): Promise<Record<string, unknown>[]> {
    const { after: _asked, ...asked } = { ...filters, size: atOnce };
    const page = await listRedemptions(on, workspaceId, after === undefined ? asked : { ...asked, after });
    next = page.next;
    return page.redemptions.map(rowOf);
  }
  return { pieces: pieces(), read };
}

function rowOf({ recipient, redeemedBy, finishedBy, ...redemption }: Redemption): Record<string, unknown> {
  const { id: memberId, ...person } = recipient;
  return { memberId, ...person, ...redemption, redeemedBy: nameOf(redeemedBy), finishedBy: nameOf(finishedBy) };
}

/** Operators and the service have no name. */
function nameOf(actor: Actor | null): string | null {
  return actor && (actor.name ?? actor.is);
}
