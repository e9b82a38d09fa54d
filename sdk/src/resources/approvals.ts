import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { ApprovalPage, ApprovalQuery, Deputy, NewDeputy, OrderApproval, OrderDecisions } from '../types.ts';

/** What waits for a decision: orders and shoutouts. */
export class Approvals extends Resource {
  /** A page of what waits for the caller, the oldest first; or of orders that were decided. */
  list(query: ApprovalQuery = {}, options: CallOptions = {}): Promise<ApprovalPage> {
    return this.call('GET /approvals', { query }, options);
  }

  /** Whom an order waits for and since when, or what was decided. */
  retrieve(requestId: string, options: CallOptions = {}): Promise<OrderApproval> {
    return this.call('GET /approvals/orders/{requestId}', { path: { requestId } }, options);
  }

  /** Approves or declines orders that wait for the caller: all of them, or none. */
  async decide(decisions: OrderDecisions, options: CallOptions = {}): Promise<OrderApproval[]> {
    return (await this.call('POST /approvals/decisions', { body: decisions, once: true }, options)).orders;
  }

  /** Who decides for the caller while they are away. */
  deputy(options: CallOptions = {}): Promise<Deputy> {
    return this.call('GET /approvals/deputy', {}, options);
  }

  /** Names who decides for the caller on these days, and after the caller has left. */
  updateDeputy(deputy: NewDeputy, options: CallOptions = {}): Promise<Deputy> {
    return this.call('PUT /approvals/deputy', { body: deputy }, options);
  }

  deleteDeputy(options: CallOptions = {}): Promise<void> {
    return this.call('DELETE /approvals/deputy', {}, options);
  }
}
