import assert from 'node:assert/strict';
import { setPresence } from '../../src/company/directory/change.ts';
import type { MemberFields } from '../../src/company/directory/member-fields.ts';
import { mergeMembers } from '../../src/company/directory/merge.ts';
import { addMembers, updateMembers } from '../../src/company/directory/save.ts';
import { splitMember } from '../../src/company/directory/split.ts';
import { survivorOf } from '../../src/company/directory/who.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { advanceClock, readClock } from '../../src/company/workspaces/clock.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { sendAnyway } from '../../src/giving/automations/by-hand.ts';
import type { Engine } from '../../src/giving/automations/engine.ts';
import { addAutomation, changeAutomation, pauseAll } from '../../src/giving/automations/manage.ts';
import { runWorkspace } from '../../src/giving/automations/run.ts';
import { grantMoney } from '../../src/giving/budgets/grants.ts';
import { addBudget } from '../../src/giving/budgets/manage.ts';
import { readBudget } from '../../src/giving/budgets/read.ts';
import type { AutomationTerms, NewAutomation } from '../../src/ground/contract/automation.ts';
import type { Queryable } from '../../src/ground/database/database.ts';
import { Failure } from '../../src/ground/errors.ts';
import { modelCountries, modelZones } from './automations-cases.ts';
import { CompanyModel, type CompanyRecord, type CompanyRule } from './automations-company.ts';
import { dayNth, dayOf, shownAt } from './automations-model.ts';
import type { Random } from './random.ts';

const [hour, quarter] = [3_600_000, 900_000];

/** The history of a company whose automations run, and of the model beside it. */
export class CompanyHistory {
  readonly #model = new CompanyModel();
  readonly #engines: readonly [Engine, ...Engine[]];
  readonly #workspaceId: number;
  readonly #random: Random;
  readonly #zones: (string | null)[];
  #ruleIds: number[] = [];
  /** The budget of the first rule, which is short of money. */
  #budgetId = 0;
  #added = 0;

  constructor(engines: readonly [Engine, ...Engine[]], workspaceId: number, random: Random) {
    this.#engines = engines;
    this.#workspaceId = workspaceId;
    this.#random = random;
    this.#zones = [null, ...random.shuffled(modelZones).slice(0, 3)];
  }

  get #database() {
    return this.#engines[0].database;
  }

  #write<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    return inWorkspace(this.#database, this.#workspaceId, work);
  }

  async begin(people: number): Promise<void> {
    await this.#database.query('update workspaces set time_zone = $2 where id = $1', [
      this.#workspaceId,
      this.#random.pick(modelZones),
    ]);
    await this.#passTime(this.#random.int(0, 400) * 24 * hour);
    for (let nth = 0; nth < people; nth += 1) await this.#addPerson();
    const budget = await this.#write((tx) =>
      addBudget(tx, theService, this.#workspaceId, { currency: 'CAD', amount: 100, department: 'People' }),
    );
    this.#budgetId = budget.id;
    for (const trigger of await this.#triggers()) {
      const { id } = await this.#write((tx) => addAutomation(tx, theService, this.#workspaceId, this.#terms(trigger)));
      await this.#write((tx) => changeAutomation(tx, theService, this.#workspaceId, id, { state: 'ON' }));
      if (trigger.is === 'BIRTHDAY') this.#model.left.set(id, 100);
      this.#ruleIds.push(id);
    }
  }

  /** Something happens to people and rules, time passes, and automations run: by one worker, by two, or by one that is killed and another. Thirty steps are about a year. */
  async step(): Promise<void> {
    for (let times = this.#random.int(0, 2); times > 0; times -= 1) await this.#change();
    const days = this.#random.chance(0.4) ? this.#random.int(20, 50) : this.#random.int(1, 7);
    await this.#passTime(this.#random.chance(0.5) ? this.#random.int(3, 30) * hour : days * 24 * hour);
    const now = await this.#now();
    this.#model.look(now, ...(await this.#readCompany()));
    if (this.#random.chance(0.3)) await this.#killed(this.#random.int(0, 12));
    const workers = this.#random.chance(0.3) ? this.#engines : this.#engines.slice(0, 1);
    await Promise.all(workers.map((engine) => runWorkspace(engine, this.#workspaceId)));
    if (workers.length > 1) await runWorkspace(this.#engines[0], this.#workspaceId);
    await this.#compare(now);
  }

  /** A worker that dies before or after one of its transactions. */
  async #killed(after: number): Promise<void> {
    let left = after;
    const killed = new Error('killed');
    const step = () => {
      left -= 1;
      if (left < 0) throw killed;
    };
    const engine = this.#engines[0];
    const { database } = engine;
    const transaction: typeof database.transaction = async (work) => {
      step();
      const result = await database.transaction(work);
      step();
      return result;
    };
    await runWorkspace({ ...engine, database: { ...database, transaction } }, this.#workspaceId).catch((error) =>
      assert.equal(error, killed, String(error)),
    );
  }

  /** Both sides see the same hour: time does not stand at the end of a quarter. */
  async #passTime(ms: number): Promise<void> {
    const now = await this.#now();
    const toQuarter = quarter - ((now + ms) % quarter);
    const more = toQuarter < 60_000 ? toQuarter + 1_000 : 0;
    await this.#database.transaction((tx) => advanceClock(tx, this.#workspaceId, (ms + more) / 1_000));
  }

  async #now(): Promise<number> {
    return (await readClock(this.#database, this.#workspaceId)).now.getTime();
  }

  async #today(): Promise<number> {
    return dayOf(shownAt(await this.#now(), 'UTC').slice(0, 10)).nth;
  }

  async #readCompany(): Promise<[zone: string, records: CompanyRecord[], rules: CompanyRule[]]> {
    const [workspace] = await this.#database.query<{ zone: string }>(
      'select time_zone as zone from workspaces where id = $1',
      [this.#workspaceId],
    );
    const records = await this.#database.query<CompanyRecord>(recordsSql, [this.#workspaceId]);
    const rules = await this.#database.query<CompanyRule>(rulesSql, [this.#workspaceId]);
    return [workspace?.zone as string, records, rules];
  }

  async #compare(now: number): Promise<void> {
    const rows = await this.#database.query<{ text: string; paid: string }>(rowsSql, [this.#workspaceId]);
    const [, records] = await this.#readCompany();
    const survivors = new Map(records.map(({ id, mergedInto }) => [id, mergedInto ?? id]));
    const expected = this.#model.rows.map(({ ruleId, recordId, forDay, years, amount, outcome, daysLate }) =>
      [ruleId, survivors.get(recordId), forDay, years, amount, withoutMoney(outcome), daysLate].join(' '),
    );
    const where = `${new Date(now).toISOString()}, workspace ${this.#workspaceId}`;
    assert.deepEqual(rows.map(({ text }) => withoutMoney(text)).sort(), expected.sort(), where);
    // Of gifts that are due at the same moment, any may be the one that is not paid.
    const paid = this.#model.rows.map(({ ruleId, dueAt, outcome }) => `${ruleId} ${dueAt} ${outcome}`);
    assert.deepEqual(rows.map((row) => row.paid).sort(), paid.sort(), where);
  }

  /** Every gift that was sent is one gift of one order, and there are no others. */
  async end(): Promise<number> {
    const [counts] = await this.#database.query<{ gifts: unknown; sent: unknown }>(
      `select (select json_build_array(count(*), sum((item ->> 'amount')::numeric)::float8)
                 from order_requests r, jsonb_array_elements(r.body -> 'orderItems') item
                where r.workspace_id = $1) as gifts,
              (select json_build_array(count(*), sum(amount)::float8)
                 from occurrences
                where workspace_id = $1 and state = 'SENT' and amount is not null) as sent`,
      [this.#workspaceId],
    );
    assert.deepEqual(counts?.gifts, counts?.sent);
    const { available } = await readBudget(this.#database, this.#workspaceId, this.#budgetId);
    assert.deepEqual([available], [...this.#model.left.values()]);
    return this.#model.rows.length;
  }

  #day(from: number, to: number): string {
    return dayNth(this.#random.int(from, to)).text;
  }

  /** Most days are soon, so that much happens. */
  async #birthday(): Promise<string> {
    const today = await this.#today();
    return this.#random.chance(0.1)
      ? '02-29'
      : this.#day(today - 10, today + (this.#random.chance(0.7) ? 60 : 300)).slice(5);
  }

  async #hireDate(): Promise<string> {
    const today = await this.#today();
    if (this.#random.chance(0.1)) return '2024-02-29';
    const day = this.#random.chance(0.7) ? this.#day(today - 40, today + 60) : this.#day(today - 4_000, today);
    // 29 February does not exist in every year.
    return `${this.#random.int(2_012, 2_027)}${day.slice(4).replace('-02-29', '-02-28')}`;
  }

  async #addPerson(): Promise<void> {
    this.#added += 1;
    const person: MemberFields = {
      email: `person-${this.#added}@example.com`,
      // With a number and an address, the record can be split.
      ...(this.#random.chance(0.5) && { employeeNumber: String(this.#added) }),
      ...(this.#random.chance(0.8) && { birthday: await this.#birthday() }),
      ...(this.#random.chance(0.8) && { hireDate: await this.#hireDate() }),
      timeZone: this.#random.pick(this.#zones),
      country: this.#random.pick(modelCountries),
    };
    await this.#write((tx) => addMembers(tx, this.#workspaceId, [person]));
  }

  async #triggers(): Promise<AutomationTerms['trigger'][]> {
    const today = await this.#today();
    const all: AutomationTerms['trigger'][] = [
      { is: 'AFTER_HIRE', days: this.#random.pick([0, 7, 30]) },
      { is: 'YEARLY', monthDay: dayNth(today + this.#random.int(1, 60)).monthDay },
      { is: 'ONCE', day: this.#day(today + 1, today + 40) },
      { is: 'UNRECOGNIZED', days: this.#random.pick([5, 20]) },
    ];
    return [{ is: 'BIRTHDAY' }, { is: 'ANNIVERSARY' }, this.#random.pick(all)];
  }

  #terms(trigger: AutomationTerms['trigger']): NewAutomation {
    const tiers = [1, 2, 5].map((years) => ({ years, amount: 10 * years }));
    const isTiered = trigger.is === 'ANNIVERSARY' && this.#random.chance(0.5);
    const amounts = isTiered ? { byYears: tiers, further: { every: 2, amount: 99 } } : { amount: 25 };
    const isShort = trigger.is === 'BIRTHDAY';
    const action: AutomationTerms['action'] =
      trigger.is === 'UNRECOGNIZED' ? { is: 'SHOUTOUT' } : { is: 'GIFT', currency: 'CAD', ...amounts };
    return {
      name: trigger.is,
      trigger,
      action,
      messages: { EN: 'For you, {firstName}' },
      ...this.#options(isShort),
      ...(isShort && { budgetId: this.#budgetId }),
    };
  }

  /** Gifts that were asked about are sent in another sequence, so a rule that is short of money asks no manager. */
  #options(isShort: boolean) {
    return {
      ifShort: this.#random.pick(['MESSAGE', 'WAIT'] as const),
      hour: this.#random.pick([0, 2, 8, 23]),
      onDayOff: this.#random.pick(['SAME_DAY', 'BEFORE', 'AFTER'] as const),
      onLeapDay: this.#random.pick(['FEB_28', 'MAR_1', 'LEAP_YEARS'] as const),
      catchUpDays: this.#random.pick([0, 2, 7]),
      leadDays: isShort ? 0 : this.#random.pick([0, 0, 3]),
      skipsLeft: this.#random.chance(0.8),
      skipsOnLeave: this.#random.chance(0.7),
    };
  }

  async #grant(): Promise<void> {
    const [id] = this.#ruleIds as [number];
    const amount = 25 * this.#random.int(1, 6);
    const grant = { amount };
    await this.#write((tx) => grantMoney(tx, theService, this.#workspaceId, this.#budgetId, grant));
    this.#model.left.set(id, (this.#model.left.get(id) ?? 0) + amount);
  }

  /** A person sends what could not be paid. It is sent while its rule is paused, too. */
  async #sendAgain(): Promise<void> {
    const unpaid = this.#model.rows.filter(({ outcome }) => outcome.endsWith('NO_MONEY'));
    if (unpaid.length === 0) return;
    const chosen = this.#random.pick(unpaid);
    const [row] = await this.#database.query<{ id: number }>(
      `select id from occurrences
        where workspace_id = $1 and automation_id = $2 and due_at = to_timestamp($3::float8 / 1000) and concat(state, ' ', reason) = $4
        order by id`,
      [this.#workspaceId, chosen.ruleId, chosen.dueAt, chosen.outcome],
    );
    await this.#write((tx) => sendAnyway(tx, theService, this.#workspaceId, row?.id as number));
    chosen.isOpen = true;
  }

  async #change(): Promise<void> {
    const records = await this.#database.query<{ id: number; leftAt: Date | null }>(
      `select id, left_at as "leftAt" from members where workspace_id = $1 and merged_into is null and not is_integration order by id`,
      [this.#workspaceId],
    );
    const today = await this.#today();
    // Half of the changes are about people who got something lately.
    const lately = new Set(this.#model.rows.slice(-10).map(({ recordId }) => recordId));
    const known = records.filter(({ id }) => lately.has(id));
    const some = known.length > 0 && this.#random.chance(0.5) ? known : records;
    const [person, other] = [this.#random.pick(some), this.#random.pick(records)];
    const set = (fields: MemberFields) =>
      this.#write((tx) => updateMembers(tx, this.#workspaceId, [{ id: person.id, ...fields }]));
    const id = this.#random.pick(this.#ruleIds);
    const changeRule = (change: Parameters<typeof changeAutomation>[4]) =>
      this.#write((tx) => changeAutomation(tx, theService, this.#workspaceId, id, change));
    const near = () => this.#day(today - 12, today + 12);
    const changes: (() => Promise<unknown>)[] = [
      () => this.#addPerson(),
      () => set({ birthday: near().slice(5) }),
      async () => set({ hireDate: await this.#hireDate() }),
      () => set({ hireDate: near() }),
      () => set({ timeZone: this.#random.pick(this.#zones) }),
      () => set({ country: this.#random.pick(modelCountries) }),
      () => set({ leaveStartsOn: near(), leaveEndsOn: null }),
      () => set({ leaveStartsOn: null, leaveEndsOn: this.#random.chance(0.5) ? near() : null }),
      () =>
        this.#write((tx) =>
          setPresence(tx, theService, this.#workspaceId, person.id, { active: person.leftAt !== null }),
        ),
      async () =>
        person.id !== other.id &&
        this.#write((tx) => mergeMembers(tx, theService, this.#workspaceId, person.id, other.id)),
      () => this.#write((tx) => splitMember(tx, theService, this.#workspaceId, person.id, ['email'])),
      () => changeRule(this.#options(id === this.#ruleIds[0])),
      () => this.#grant(),
      () => this.#sendAgain(),
      () => changeRule({ state: this.#random.pick(['ON', 'PAUSED'] as const) }),
      () => changeRule({ state: 'ON' }),
      () => this.#write((tx) => pauseAll(tx, theService, this.#workspaceId, this.#random.chance(0.3))),
    ];
    await this.#random
      .pick(changes)()
      .catch((error) => {
        // An automation whose day has passed cannot be turned on, for example: everything stays as it is.
        if (!(error instanceof Failure)) throw error;
      });
  }
}

function withoutMoney(text: string): string {
  return text.replace(/(MESSAGE_ONLY|NOT_DONE) NO_MONEY/, 'SENT');
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

const recordsSql = `
  select id, merged_into as "mergedInto", birthday, hired_on as "hireDate", ${ms('last_recognized_at')} as "lastRecognizedAt",
         country, own_time_zone as "timeZone", ${ms('left_at')} as "leftAt", leaves_on as "leavesOn",
         leave_starts_on as "leaveStartsOn", leave_ends_on as "leaveEndsOn",
         coalesce(email, employee_number) is not null as "canBeReached"
    from members
   where workspace_id = $1
     and not is_integration
   order by id`;

const rulesSql = `
  select a.id, a.terms, a.state = 'ON' and not t.is_paused as "isOn", ${ms('greatest(a.on_since, t.resumed_at)')} as since
    from automations a
    join automation_turns t using (workspace_id)
   where workspace_id = $1
   order by a.id`;

const rowsSql = `
  select concat_ws(' ', o.automation_id, ${survivorOf('m')}, o.for_day, coalesce(o.years::text, ''), coalesce(trim_scale(o.amount)::text, ''),
                   o.state || coalesce(' ' || o.reason, ''), o.days_late) as text,
         concat_ws(' ', o.automation_id, ${ms('o.due_at')}, o.state || coalesce(' ' || o.reason, '')) as paid
    from occurrences o
    join members m on m.workspace_id = o.workspace_id and m.id = o.member_id
   where o.workspace_id = $1
     and o.state <> 'ASKED'`;
