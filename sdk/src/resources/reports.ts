import { eachElement, usualSize } from '../paging.ts';
import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { Activity } from '../types.ts';

/** Who was recognized, when last, and how many of each group: as a page, element by element, or as a CSV file. */
export class Reports extends Resource {
  /** A page of gifts and shoutouts, newest first. */
  readonly teamActivity = this.method('GET /reports/teams/activity', 'query');

  /** All gifts and shoutouts, newest first, for `for await`. One that is given meanwhile can make another appear twice. */
  allTeamActivity(options: CallOptions = {}): AsyncGenerator<Activity, void> {
    return eachElement(
      (page) => this.teamActivity({ page, size: usualSize }, options),
      ({ activities }) => activities,
    );
  }

  /** All gifts and shoutouts as a CSV file, as it comes. A workspace can read two files at once. */
  readonly teamActivityCsv = this.file('GET /reports/teams/activity', 'query');
  /** A page of members with the day of their last recognition, the most recently recognized first. */
  readonly lastRecognized = this.method('GET /reports/members/last-recognized', 'query');
  /** All members with the day of their last recognition, for `for await`. */
  readonly allLastRecognized = this.eachPage('GET /reports/members/last-recognized', 'teamMembers');
  /** All members with the day of their last recognition as a CSV file, as it comes. */
  readonly lastRecognizedCsv = this.file('GET /reports/members/last-recognized', 'query');
  /** What needs attention, and this month beside the same days of the month before. */
  readonly overview = this.method('GET /reports/overview', 'query');
  /** Gifts, shoutouts and amounts by day, week or month. */
  readonly series = this.method('GET /reports/series', 'query');
  /** The points of a series as a CSV file. */
  readonly seriesCsv = this.file('GET /reports/series', 'query');
  /** How many people of each department, team, location, manager, cost centre or month were recognized. */
  readonly coverage = this.method('GET /reports/coverage', 'query');
  /** All groups as a CSV file. */
  readonly coverageCsv = this.file('GET /reports/coverage', 'query');
  /** How many of each manager's people were recognized, the smallest share first. */
  readonly fairness = this.method('GET /reports/fairness', 'query');
  /** All managers as a CSV file. */
  readonly fairnessCsv = this.file('GET /reports/fairness', 'query');
  /** People who were never or not lately recognized, those never recognized first. */
  readonly notRecognized = this.method('GET /reports/members/not-recognized', 'query');
  /** All of them as a CSV file, as it comes. */
  readonly notRecognizedCsv = this.file('GET /reports/members/not-recognized', 'query');
  /** A page of the gifts of a year by member, as employers are asked to keep them. It is not tax advice. */
  readonly taxLog = this.method('GET /reports/tax-log', 'query');
  /** What each person got in a year by type: by currency, the largest sum first, beside the limits of the workspace. */
  readonly taxTotals = this.method('GET /reports/tax-log/totals', 'query');
  /** All lines of the tax log that fit, for `for await`. */
  readonly allOfTaxLog = this.eachAfter('GET /reports/tax-log', 'lines');
  /** The tax log as a CSV file, as it comes. */
  readonly taxLogCsv = this.file('GET /reports/tax-log', 'query');
}
