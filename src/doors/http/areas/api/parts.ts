import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Dispatcher } from 'undici';
import type { KioskKeys } from '../../../../company/access/kiosk-codes.ts';
import type { ReadTraces } from '../../../../company/access/read-traces.ts';
import type { EventPulse } from '../../../../company/events/pulse.ts';
import type { Networks } from '../../../../company/events/webhooks/networks.ts';
import type { DeriveSecret } from '../../../../company/events/webhooks/signature.ts';
import type { UndoKind } from '../../../../company/undo/undo.ts';
import type { Retention } from '../../../../company/workspaces/retention.ts';
import type { DecisionSteps } from '../../../../giving/approvals/outcomes.ts';
import type { Engine } from '../../../../giving/automations/engine.ts';
import type { DraftedGift } from '../../../../giving/delivery/compose/drafts.ts';
import type { Letterhead } from '../../../../giving/delivery/compose/message.ts';
import type { DirectMail } from '../../../../giving/delivery/send/direct-mail.ts';
import type { UserMails } from '../../../../giving/delivery/sign-in-mail.ts';
import type { GiftDesk } from '../../../../giving/gifts/claim.ts';
import type { GiftTokenKeys } from '../../../../giving/gifts/token-keys.ts';
import type { Acceptance } from '../../../../giving/orders/accept.ts';
import type { OrderReads } from '../../../../giving/orders/read.ts';
import type { OrderTrial } from '../../../../giving/orders/validate.ts';
import type { Shoutouts } from '../../../../giving/recognition/give.ts';
import type { ShoutoutStep } from '../../../../giving/recognition/shoutout-steps.ts';
import type { Actor } from '../../../../ground/contract/actor.ts';
import type { Database, Queryable } from '../../../../ground/database/database.ts';
import type { LookUpCode } from '../../limits/guesses.ts';
import type { Exports } from './exports.ts';

/** What the routes of the API work with. Each resource takes what it needs. */
export interface ApiParts {
  environment: 'test' | 'production';
  currencies: readonly string[];
  /** Where people reach the service. */
  address: () => string;
  /** Reads by key. */
  lookUps: Database;
  /** Lists with filters. */
  reports: Database;
  /** Changes that people make. */
  people: Database;
  /** Imports, and undoing one, which takes about as long. */
  imports: Database;
  verification: Database;
  /** Closes payroll exports. */
  payroll: Database;
  exports: Exports;
  traces: ReadTraces;
  keys: GiftTokenKeys;
  kioskKeys: KioskKeys;
  acceptance: Acceptance;
  orders: OrderReads;
  trial: OrderTrial;
  /** Opens a failed order of a workspace again. */
  retry: (workspaceId: number, requestId: string, actor: Actor) => Promise<void>;
  steps: DecisionSteps & { shoutouts: readonly ShoutoutStep[] };
  shoutouts: Shoutouts;
  /** `lookUpCode` limits wrong codes as on the gift page, for each address. */
  desk: GiftDesk & { lookUpCode: LookUpCode };
  /** `outbox`, `off`, or the URL of the mail server. */
  mailServer: string;
  /** Asked for each email: where the service listens is known only after its start. */
  letterhead: () => Letterhead;
  /** The page of a draft. */
  previewPage: (on: Queryable, drafted: DraftedGift, publicUrl: string) => Promise<string>;
  directMail: DirectMail;
  /** What emails invitations; null: none are emailed. */
  userMails: UserMails | null;
  automations: Engine;
  pulse: EventPulse;
  /** Sends samples of webhooks. It checks addresses as the deliveries do. */
  agent: Dispatcher;
  networks: Networks;
  deriveSecret: DeriveSecret;
  retentions: readonly Retention[];
  undoKinds: readonly UndoKind[];
}

export type Routes = FastifyPluginAsyncTypebox<ApiParts>;
