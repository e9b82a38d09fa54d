import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { NewRule, Rule, RuleChange } from '../types.ts';

/** When an order waits for approval or is rejected. */
export class Rules extends Resource {
  /** All rules, in the order in which they are tried. */
  async list(options: CallOptions = {}): Promise<Rule[]> {
    return (await this.call('GET /rules', {}, options)).rules;
  }

  retrieve(id: number, options: CallOptions = {}): Promise<Rule> {
    return this.call('GET /rules/{id}', { path: { id } }, options);
  }

  /** Adds a rule, which every node applies to new orders within a second. */
  create(rule: NewRule, options: CallOptions = {}): Promise<Rule> {
    return this.call('POST /rules', { body: rule, once: true }, options);
  }

  /** Changes a rule, turns it on or off, or moves it to another position. */
  update(id: number, change: RuleChange, options: CallOptions = {}): Promise<Rule> {
    return this.call('PATCH /rules/{id}', { path: { id }, body: change }, options);
  }

  /** Deletes a rule. Orders that wait because of it keep waiting. */
  delete(id: number, options: CallOptions = {}): Promise<void> {
    return this.call('DELETE /rules/{id}', { path: { id } }, options);
  }
}
