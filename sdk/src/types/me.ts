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
  /** The currency of its latest order; null before the first. */
  currency: string | null;
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

/** What a person changes about themselves. Fields that are left out stay as they are. */
export interface MyChange {
  /** Their name. */
  name?: string;
  /** The language of the console. */
  language?: 'en' | 'fr' | 'es';
}

/** A new password. */
export interface MyPassword {
  /** The new password: 12 characters or more. */
  password: string;
  /** The current one. Not needed by somebody who has none, or signed in with a link in the last 15 minutes. */
  current?: string;
}

/** A browser that somebody is signed in with. */
export interface MySession {
  /** Identifies the session. */
  id: number;
  /** How they signed in. */
  way: 'LINK' | 'PASSWORD' | 'OIDC';
  /** What the browser calls itself. */
  browser: string | null;
  /** When they signed in. */
  createdAt: string;
  /** When it ends. */
  expiresAt: string;
  /** Whether the request belongs to this session. */
  isThis: boolean;
}

/** How a person signs in, and where they are signed in. */
export interface MyAccount {
  /** Whether they have chosen a password. */
  hasPassword: boolean;
  /** Whether another password needs the current one. */
  needsCurrent: boolean;
  /** The OpenID provider that they sign in through. */
  oidcIssuer: string | null;
  /** The latest first. */
  sessions: MySession[];
}
