import type { MemberFilters } from './member.ts';
import type { Page, PageQuery } from './page.ts';

/** A person who gave, received or decided a recognition. */
export interface UserSummary {
  /** The member id. */
  id: number;
  /** The e-mail address; empty where it is not known. */
  email: string;
  /** Empty where it is not known. */
  firstName: string;
  /** Empty where it is not known. */
  lastName: string;
  /** The address of the person's picture. */
  avatar: string;
  /** The same value as `avatar`, under the name that the interface document prints. */
  'the service': string;
  /** True for the member that the calling token acts as. */
  self: boolean;
}

/** What a person was recognized for. */
export interface ActivityReason {
  /** Identifies the reason. */
  id: number;
  /** Its text. */
  description: string;
}

/** One recognition: a gift or a shoutout. */
export interface Activity {
  /** PENDING for a shoutout that waits for approval. */
  status: 'PENDING' | 'APPROVED';
  /** Who gave it. */
  sender: UserSummary;
  /** Who got it. */
  receiver: UserSummary;
  /** UTC without a zone offset, as 2026-11-02T14:03:27.512345. */
  createdOn: string;
  /** The text that came with it. */
  description: string;
  /** What it was for. */
  reason: ActivityReason;
  /** Whether the giver asked for it not to be shown around. */
  isPrivate: boolean;
  /** Which of the two it is. */
  type: 'GIFT' | 'SHOUTOUT';
  /** The account that owns the workspace. */
  account: number;
  /** The receiver's team. */
  team: number;
}

/** A page of activities. */
export interface TeamActivityPage extends Page {
  /** Newest first. */
  activities: Activity[];
}

/** A member of the report, by address and name. */
export interface TeamMember {
  /** The e-mail address; empty where it is not known. */
  email: string;
  /** Empty where it is not known. */
  firstName: string;
  /** Empty where it is not known. */
  lastName: string;
}

/** A member, with the day and the kind of the last recognition. */
export interface LastRecognized {
  /** The person. */
  teamMember: TeamMember;
  /** As 2026-11-02; null for a member who was never recognized. */
  lastDate: string | null;
  /** Null for a member who was never recognized. */
  type: 'GIFT' | 'SHOUTOUT' | null;
}

/** Which members the report shows, and which page of it. */
export interface LastRecognizedQuery extends MemberFilters, PageQuery {
  /** Lists the members who were never recognized instead. */
  neverRecognized?: boolean;
}

/** A page of the report. */
export interface LastRecognizedPage extends Page {
  /** The most recently recognized first. */
  teamMembers: LastRecognized[];
}

/** How a CSV file is written. */
export interface CsvQuery {
  /** Whether it begins with a byte order mark, which tells Excel that the text is UTF-8. */
  bom?: boolean;
}
