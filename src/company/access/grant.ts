import type { RuleCondition } from '../../ground/contract/rule.ts';
import type { PersonRole } from './roles.ts';

/** A workspace that the caller may use: what they may do there, and the policies that apply. */
export interface WorkspaceGrant {
  workspaceId: number;
  accountId: number;
  name: string;
  scopes: readonly string[];
  /** The role of a person who signs in; null for a token. */
  role: PersonRole | null;
  /** Whether the person has left. They read and spend what they have, and nothing else: see `forLeavers` of routes. */
  hasLeft: boolean;
  /** Whether the sign-in has shown that the person reads the emails to the recorded address of the member. */
  provesEmail: boolean;
  /** The first of the tokens that replaced each other, by which rules know a token; null for a person. */
  firstTokenId: number | null;
  /** The member that the caller acts as. */
  memberId: number;
  /** A manager sees the direct and indirect reports of this member only (directory/reporting-line.ts). Null: sees all people. */
  onlyReportsOf: number | null;
  senderName: string;
  language: string;
  timeZone: string;
  refusesUnknownEmployeeNumbers: boolean;
  acceptsLeavers: boolean;
  asksForApproval: boolean;
  allowsSelfRecognition: boolean;
  /** Whether orders may draw on a budget there. */
  hasBudgets: boolean;
  /** How much one person may receive in a calendar year, by currency. */
  recipientCaps: readonly { currency: string; amount: number }[];
  /** The conditions of the rules that are on: an order that fits none of them needs no look at the database. */
  rules: readonly RuleCondition[];
}

/** What a token or the session of a person allows. One of `token` and `session` is there. */
export interface Grant {
  /** The id of the token or of the user, which differ; below zero for employees who are not users. */
  callerId: number;
  token: { id: number; name: string | null } | null;
  session: Session | null;
  /** Whether changes of people decide about it. They are not announced, so it is read again after less than a second. */
  followsDirectory: boolean;
  /** In milliseconds since 1970; null if it never expires. */
  expiresAt: number | null;
  /** How long it lasted when it was read, by the database's clock. Every node decides by that clock: its own may be wrong. */
  lastsMs: number | null;
  rateLimitPerMinute: number | null;
  workspaces: readonly WorkspaceGrant[];
}

export interface SignedInUser {
  id: number;
  email: string;
  name: string;
  language: string;
}

/** How a person signed in. */
export type Way = 'LINK' | 'PASSWORD' | 'OIDC' | 'KIOSK';

export interface Session {
  id: number;
  way: Way;
  /** Null for an employee who is not a user. */
  user: SignedInUser | null;
}
