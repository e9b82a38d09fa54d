import type { Step } from '../../ground/database/run-steps.ts';

export interface GivenShoutout {
  /** Of its activity, in the workspace. */
  number: number;
  /** What callers know it by (shoutout-ids.ts). */
  id: number;
  status: 'PENDING' | 'APPROVED';
  senderId: number;
  receiverId: number;
  isPrivate: boolean;
  idempotencyKey: string | null;
}

export interface DecidedShoutout {
  id: number;
  decision: 'APPROVED' | 'DECLINED';
  /** The member behind the token that decided; null: the sender of a private shoutout, whom events do not name. */
  decidedBy: number | null;
}

/** Shoutouts of one workspace that were given or decided in one transaction. The workspace is locked until its end. */
export interface ChangedShoutouts {
  workspaceId: number;
  /** In a workspace it never goes back. */
  moment: string;
  given: readonly GivenShoutout[];
  decided: readonly DecidedShoutout[];
  /** The ids of those that were edited, deleted, hidden or shown again. */
  edited?: readonly number[];
}

/** A step of giving and deciding shoutouts. If it throws, nothing was given or decided. */
export type ShoutoutStep = Step<ChangedShoutouts>;
