import { GiftwireError, type OrderApproval } from '@giftwire/sdk';
import { giftwire } from './client.ts';

/** The approval of an order; null if no rule asked for one. */
export async function findApproval(requestId: string, signal: AbortSignal): Promise<OrderApproval | null> {
  try {
    return await giftwire.approvals.retrieve(requestId, { signal });
  } catch (error) {
    if (error instanceof GiftwireError && error.status === 404) return null;
    throw error;
  }
}
