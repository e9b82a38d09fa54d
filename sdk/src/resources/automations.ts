import { eachElement, usualSize } from '../paging.ts';
import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type {
  Automation,
  AutomationChange,
  AutomationList,
  AutomationOutlook,
  AutomationPlan,
  CsvQuery,
  NewAutomation,
  Occurrence,
  OccurrenceChoice,
  OccurrencePage,
  OccurrenceQuery,
  PageQuery,
  PlanRequest,
} from '../types.ts';

/** What the service does for people on their days. */
export class Automations extends Resource {
  /** All automations, by name, and whether all of them are paused. */
  list(options: CallOptions = {}): Promise<AutomationList> {
    return this.call('GET /automations', {}, options);
  }

  retrieve(id: number, options: CallOptions = {}): Promise<Automation> {
    return this.call('GET /automations/{id}', { path: { id } }, options);
  }

  /** Adds an automation as a draft, which does nothing until it is turned on. */
  create(automation: NewAutomation, options: CallOptions = {}): Promise<Automation> {
    return this.call('POST /automations', { body: automation, once: true }, options);
  }

  /** Changes an automation, turns it on, pauses it or lets it continue. */
  update(id: number, change: AutomationChange, options: CallOptions = {}): Promise<Automation> {
    return this.call('PATCH /automations/{id}', { path: { id }, body: change }, options);
  }

  /** Deletes an automation. What it did stays in the list of occurrences. */
  delete(id: number, options: CallOptions = {}): Promise<void> {
    return this.call('DELETE /automations/{id}', { path: { id } }, options);
  }

  /** What each automation that is on does next, and what needs attention. */
  async outlook(options: CallOptions = {}): Promise<AutomationOutlook[]> {
    return (await this.call('GET /automations/outlook', {}, options)).outlooks;
  }

  /** The next twelve months of an automation: who, when, how much. Nothing is stored. */
  plan(request: PlanRequest, options: CallOptions = {}): Promise<AutomationPlan> {
    return this.call('POST /automations/plan', { body: request }, options);
  }

  /** Pauses all automations. */
  pause(options: CallOptions = {}): Promise<AutomationList> {
    return this.call('POST /automations/pause', {}, options);
  }

  /** Lets all automations continue. They do nothing for the days of the pause. */
  resume(options: CallOptions = {}): Promise<AutomationList> {
    return this.call('POST /automations/resume', {}, options);
  }

  /** Lets what the plan has for one person and one day go out at once. */
  run(id: number, choice: OccurrenceChoice, options: CallOptions = {}): Promise<Occurrence> {
    return this.call('POST /automations/{id}/run', { path: { id }, body: choice, once: true }, options);
  }

  /** Skips one person on one day. */
  skip(id: number, choice: OccurrenceChoice, options: CallOptions = {}): Promise<Occurrence> {
    return this.call('POST /automations/{id}/skip', { path: { id }, body: choice, once: true }, options);
  }

  /** Takes back a skip. */
  unskip(id: number, choice: OccurrenceChoice, options: CallOptions = {}): Promise<void> {
    return this.call('POST /automations/{id}/unskip', { path: { id }, body: choice, once: true }, options);
  }

  /** A page of what automations did, could not do and have begun, the latest first. */
  occurrences(query: OccurrenceQuery = {}, options: CallOptions = {}): Promise<OccurrencePage> {
    return this.call('GET /automations/occurrences', { query }, options);
  }

  /** All occurrences that fit, for `for await`. */
  allOccurrences(
    filters: Omit<OccurrenceQuery, 'page'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<Occurrence, void> {
    return eachElement(
      (page) => this.occurrences({ size: usualSize, ...filters, page }, options),
      ({ content }) => content,
    );
  }

  /** All occurrences that fit as a CSV file, as it comes. */
  occurrencesCsv(
    query: Omit<OccurrenceQuery, keyof PageQuery> & CsvQuery = {},
    options: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.file('GET /automations/occurrences', { query }, options);
  }

  /** Sets the line in front of a message that has not gone out yet. Null: no line. */
  addLine(occurrenceId: number, line: string | null, options: CallOptions = {}): Promise<Occurrence> {
    return this.call('PATCH /automations/occurrences/{id}', { path: { id: occurrenceId }, body: { line } }, options);
  }

  /** Sends what could not be done, or the gift of a message that went out without it. */
  send(occurrenceId: number, options: CallOptions = {}): Promise<Occurrence> {
    return this.call('POST /automations/occurrences/{id}/send', { path: { id: occurrenceId }, once: true }, options);
  }
}
