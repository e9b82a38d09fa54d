import type { Page, PageQuery } from './page.ts';
import type { Span, SpanQuery } from './report.ts';

/** How people are grouped. */
export type CoverageGrouping = 'department' | 'team' | 'location' | 'manager' | 'costCentre' | 'month';

/** Which groups, and which page of them. */
export interface CoverageQuery extends SpanQuery, PageQuery {
  /** How people are grouped: by department when absent. */
  by?: CoverageGrouping;
  /** `share`: the smallest share first, as when absent. `people`: the largest group first. */
  sort?: 'share' | 'people' | 'name';
}

/** How many people there are, and how many of them were recognized. */
export interface CoverageCounts {
  /** People who were here at the end of the day `asOf`. */
  people: number;
  /** How many of them were recognized in the span. */
  recognized: number;
  /** recognized / people, to four digits; null where nobody was here. */
  share: number | null;
  /** Gifts that they received in the span. */
  gifts: number;
  /** Approved shoutouts that they received in the span. */
  shoutouts: number;
}

/** A group of people, and how many of them were recognized. */
export interface CoverageGroup extends CoverageCounts {
  /** The id of the team, or the member id of the manager; null for other groups. */
  id: number | null;
  /** The name of the group, a month as 2026-11; null for people who have none. */
  name: string | null;
}

/** A page of groups. */
export interface CoveragePage extends Span, Page {
  /** Everybody. */
  company: CoverageCounts;
  /** In the order of `sort`. */
  groups: CoverageGroup[];
}

/** A member in a report. */
export interface ReportPerson {
  /** The member id. */
  id: number;
  /** Null where it is not known. */
  email: string | null;
  /** Empty where it is not known. */
  firstName: string;
  /** Empty where it is not known. */
  lastName: string;
  /** The address of the person's picture; null where there is none. */
  avatar: string | null;
}

/** How many of the people who report to a manager were recognized. */
export interface ManagerFairness extends CoverageCounts {
  /** The manager. */
  manager: ReportPerson;
  /** How many of these people the manager has recognized in person. */
  recognizedByManager: number;
}

/** Which span, and which page of managers. */
export interface FairnessQuery extends SpanQuery, PageQuery {}

/** A page of managers. */
export interface FairnessPage extends Span, Page {
  /** Everybody, also people without a manager. */
  company: CoverageCounts;
  /** The smallest share first. */
  managers: ManagerFairness[];
}

/** Who was not recognized, and which page of them. Filters combine with AND. */
export interface NotRecognizedQuery extends PageQuery {
  /** People who were not recognized from this day on. 89 days before `asOf` when absent. */
  since?: string;
  /** As it was at the end of this day. Today when absent. */
  asOf?: string;
  /** Only those who were never recognized. */
  never?: boolean;
  /** The member's department, ignoring case. */
  department?: string;
  /** The name of the member's team, ignoring case. */
  team?: string;
  /** The member's location, ignoring case. */
  location?: string;
  /** The member's cost centre, ignoring case. */
  costCentre?: string;
  /** The manager's e-mail address, employee number or id. */
  manager?: string;
}

/** Somebody who was not recognized lately. */
export interface NotRecognized {
  /** The person. */
  member: ReportPerson;
  /** Null where it is not known. */
  department: string | null;
  /** The name of the team. */
  team: string;
  /** Null where it is not known. */
  location: string | null;
  /** Null where it is not known. */
  costCentre: string | null;
  /** Null where there is none. */
  manager: ReportPerson | null;
  /** The day of the last recognition; null: never. */
  lastDate: string | null;
  /** What it was; null: never. */
  type: 'GIFT' | 'SHOUTOUT' | null;
}

/** A page of people who were not recognized lately. */
export interface NotRecognizedPage extends Page {
  /** They were not recognized from this day on. */
  since: string;
  /** As of the end of this day. */
  asOf: string;
  /** Those who were never recognized first, then the longest ago. */
  members: NotRecognized[];
}
