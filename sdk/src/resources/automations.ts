import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { Occurrence } from '../types.ts';

/** What the service does for people on their days. */
export class Automations extends Resource {
  /** All automations, by name, and whether all of them are paused. */
  readonly list = this.method('GET /automations');
  readonly retrieve = this.method('GET /automations/{id}');
  /** Adds an automation as a draft, which does nothing until it is turned on. */
  readonly create = this.method('POST /automations', 'body', { once: true });
  /** Changes an automation, turns it on, pauses it or lets it continue. */
  readonly update = this.method('PATCH /automations/{id}', 'body');
  /** Deletes an automation. What it did stays in the list of occurrences. */
  readonly delete = this.method('DELETE /automations/{id}');
  /** What each automation that is on does next, and what needs attention. */
  readonly outlook = this.part('outlooks', 'GET /automations/outlook');
  /** The next twelve months of an automation: who, when, how much. Nothing is stored. */
  readonly plan = this.method('POST /automations/plan', 'body');
  /** Pauses all automations. */
  readonly pause = this.method('POST /automations/pause');
  /** Lets all automations continue. They do nothing for the days of the pause. */
  readonly resume = this.method('POST /automations/resume');
  /** Lets what the plan has for one person and one day go out at once. */
  readonly run = this.method('POST /automations/{id}/run', 'body', { once: true });
  /** Skips one person on one day. */
  readonly skip = this.method('POST /automations/{id}/skip', 'body', { once: true });
  /** Takes back a skip. */
  readonly unskip = this.method('POST /automations/{id}/unskip', 'body', { once: true });
  /** A page of what automations did, could not do and have begun, the latest first. */
  readonly occurrences = this.method('GET /automations/occurrences', 'query');
  /** All occurrences that fit, for `for await`. */
  readonly allOccurrences = this.eachPage('GET /automations/occurrences', 'content');
  /** All occurrences that fit as a CSV file, as it comes. */
  readonly occurrencesCsv = this.file('GET /automations/occurrences', 'query');

  /** What an automation did for one person on one day. */
  readonly occurrence = this.method('GET /automations/occurrences/{id}');

  /** Sets the line in front of a message that has not gone out yet. Null: no line. */
  addLine(occurrenceId: number, line: string | null, options: CallOptions = {}): Promise<Occurrence> {
    return this.call('PATCH /automations/occurrences/{id}', { path: { id: occurrenceId }, body: { line } }, options);
  }

  /** Sends what could not be done, or the gift of a message that went out without it. */
  readonly send = this.method('POST /automations/occurrences/{id}/send', null, { once: true });
}
