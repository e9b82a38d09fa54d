import type { Role } from './me.ts';

/** A person who shall sign in. */
export interface NewUser {
  /** The address that they sign in with. */
  email: string;
  /** Their name, which stands on gifts that they send. */
  name: string;
  /** What they may do in this workspace. */
  role: Role;
  /** E-mail, employee number or id of the member that they act as. If absent: the member with their address. */
  member?: string;
}

/** What to change about a person who signs in. Fields that are left out stay as they are. */
export type UserChange = Partial<Pick<NewUser, 'role' | 'member'>>;

/** A person who may sign in. */
export interface User {
  /** Identifies the user. */
  id: number;
  /** The address that they sign in with. */
  email: string;
  /** Their name. */
  name: string;
  /** What they may do in this workspace. */
  role: Role;
  /** The member that they act as. */
  memberId: number;
  /** Whether that member is a person of the directory. If not, the user keeps their access when the person leaves. */
  isLinked: boolean;
  /** Whether they have chosen a password. */
  hasPassword: boolean;
  /** Whether they have signed in through the OpenID provider. */
  hasOidc: boolean;
  /** Since when they have a role here. */
  addedAt: string;
  /** When they signed in last; null: never. */
  signedInAt: string | null;
  /** How many browsers they are signed in with. */
  sessions: number;
}

/** A person who was just added, with a link that signs them in. */
export interface UserWithLink extends User {
  /** Signs them in once, within 15 minutes. */
  link: string;
}

/** A link that signs somebody in once. */
export interface SignInLink {
  /** The address to open. */
  link: string;
  /** When it ends. */
  expiresAt: string;
}

/** Which people to list. */
export interface UserQuery {
  /** A part of the name or the address. */
  search?: string;
  /** Only people with this role. */
  role?: Role;
  /** People on a page; 50 when absent. */
  size?: number;
  /** The `next` of the page before. */
  after?: number;
}

/** A page of people who may sign in. */
export interface UserPage {
  /** Those added last come first. */
  users: User[];
  /** Where the next page begins; null on the last page. */
  next: number | null;
}
