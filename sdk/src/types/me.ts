/** What somebody who signs in may do in a workspace. */
export type Role = 'OWNER' | 'PEOPLE_TEAM' | 'MANAGER' | 'APPROVER' | 'AUDITOR';

/** A workspace that the caller may use. */
export interface MyWorkspace {
  /** What X-Workspace-id names. */
  id: number;
  /** Its name. */
  name: string;
  /** The role of a person who signs in; null for a token. */
  role: Role | null;
  /** What the caller may do there. */
  scopes: string[];
  /** The member that the caller acts as. */
  memberId: number;
  /** Whether the caller sees nothing but their own direct and indirect reports. */
  seesReportsOnly: boolean;
  /** The language of its mails, as EN_CA. */
  language: string;
  /** Its time zone, as America/Toronto. */
  timeZone: string;
}

/** A person who signs in. */
export interface MyUser {
  /** Identifies the person. */
  id: number;
  /** Their address, in lower case. */
  email: string;
  /** Their name, which stands on gifts that they send. */
  name: string;
  /** The language of the console. */
  language: 'en' | 'fr' | 'es';
}

/** An API token. */
export interface MyToken {
  /** Identifies the token. */
  id: number;
  /** Its name; null if it has none. */
  name: string | null;
  /** When it ends; null: never. */
  expiresAt: string | null;
}

/** Who is calling, and what they may do in which workspace. */
export interface Me {
  /** The person whose session this is; null for a token. */
  user: MyUser | null;
  /** The token; null for the session of a person. */
  token: MyToken | null;
  /** Whether gifts are real. */
  environment: 'test' | 'production';
  /** Where the caller may do something. */
  workspaces: MyWorkspace[];
}
