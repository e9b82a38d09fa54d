import type { Page, PageQuery } from './page.ts';

/** The manager of a member. */
export interface Manager {
  /** The member id of the manager. */
  id: number;
  /** The manager's e-mail address. */
  email: string | null;
  /** The manager's first name. */
  firstName: string;
  /** The manager's last name. */
  lastName: string;
}

/** The team of a member. */
export interface Team {
  /** Identifies the team. */
  id: number;
  /** What the team is called. */
  name: string;
}

/** A person of the workspace. */
export interface Member {
  /** Identifies the person; it never changes. */
  id: number;
  /** The e-mail address. */
  email: string | null;
  /** The company's own number for the person. */
  employeeNumber: string | null;
  /** Empty where it is not known. */
  firstName: string;
  /** Empty where it is not known. */
  lastName: string;
  /** As the company's directory has it. */
  department: string | null;
  /** As the company's directory has it. */
  costCentre: string | null;
  /** As the company's directory has it. */
  location: string | null;
  /** ISO 4217 code. */
  currency: string | null;
  /** The address of a picture. */
  avatar: string | null;
  /** Null where nobody is known. */
  manager: Manager | null;
  /** Members without a team belong to the workspace's default team. */
  team: Team;
  /** False for a member who has left. */
  active: boolean;
  /** The day on which the member left, as 2026-11-02; null while active. */
  leftOn: string | null;
  /** How many gifts and shoutouts the member has received. */
  recognitions: number;
  /** The day of the latest one; null if there is none. */
  lastRecognizedOn: string | null;
  /** What the latest one was. */
  lastRecognizedBy: 'GIFT' | 'SHOUTOUT' | null;
  /** Whether an identity provider keeps this member up to date through SCIM. */
  provisioned: boolean;
}

/** Which members a list shows. Each filter is an exact match ignoring case, and all of them have to match. */
export interface MemberFilters {
  /** The member's cost centre. */
  costCentre?: string;
  /** The member's currency. */
  currency?: string;
  /** The member's department. */
  department?: string;
  /** The member's employee number. */
  employeeNumber?: string;
  /** The member's location. */
  location?: string;
  /** The manager's e-mail address, employee number or id; `id:17` is an id and nothing else. */
  manager?: string;
  /** Whether members who have left are shown too. */
  includeInactive?: boolean;
}

/** Which members to list, and which page of them. */
export interface MemberQuery extends MemberFilters, PageQuery {
  /** Words. Each must occur in the name, the e-mail address or the employee number, ignoring case. */
  search?: string;
}

/** A page of members. */
export interface MemberPage extends Page {
  /** True if a search or a filter matches more than 1,000 people: `totalElements` then says how many there are at least. Absent otherwise. */
  totalIsMinimum?: boolean;
  /** In the order of their ids. */
  members: Member[];
}

/** Whom to suggest. */
export interface SuggestionQuery {
  /** The beginning of a name, an e-mail address or an employee number, or several of them. */
  search: string;
  /** The most people to suggest, 1 to 20; 8 when absent. */
  size?: number;
}

/** Somebody to choose. */
export interface MemberSuggestion {
  /** The member id. */
  id: number;
  /** The e-mail address. */
  email: string | null;
  /** The company's own number for the person. */
  employeeNumber: string | null;
  /** Empty where it is not known. */
  firstName: string;
  /** Empty where it is not known. */
  lastName: string;
  /** As the company's directory has it. */
  department: string | null;
  /** As the company's directory has it. */
  location: string | null;
  /** ISO 4217 code. */
  currency: string | null;
  /** The address of a picture. */
  avatar: string | null;
  /** The day of the last recognition, as 2026-11-02; null where there was none. */
  lastRecognizedOn: string | null;
}
