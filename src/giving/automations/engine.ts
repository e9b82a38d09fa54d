import type { AutomationTerms } from '../../ground/contract/automation.ts';
import type { OrderRequest } from '../../ground/contract/order.ts';
import type { ShoutoutRequest } from '../../ground/contract/shoutout.ts';
import type { Database } from '../../ground/database/database.ts';
import type { Acceptance } from '../orders/accept.ts';
import type { Shoutouts } from '../recognition/give.ts';
import type { EmailManagers } from './managers.ts';

/** What automations need to act. */
export interface Engine {
  database: Database;
  acceptance: Acceptance;
  shoutouts: Shoutouts;
  /** Null where no email is sent. */
  emailManagers: EmailManagers | null;
}

/** A batch that is sent. */
export interface OpenBatch {
  id: string;
  automationId: number;
  terms: AutomationTerms;
  kind: 'ORDER' | 'SHOUTOUT';
  body: OrderRequest | ShoutoutRequest;
  budgetId: number | null;
  rows: { id: number; isShort: boolean; hasMessage: boolean }[];
}
