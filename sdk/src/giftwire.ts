import type { Hooks } from './hooks.ts';
import { checkOptions } from './options.ts';
import { Approvals } from './resources/approvals.ts';
import { Audit } from './resources/audit.ts';
import { Automations } from './resources/automations.ts';
import { Balances } from './resources/balances.ts';
import { Bounces } from './resources/bounces.ts';
import { Budgets } from './resources/budgets.ts';
import { BulkActions } from './resources/bulk-actions.ts';
import { Clock } from './resources/clock.ts';
import { CustomFields } from './resources/custom-fields.ts';
import { Events } from './resources/events.ts';
import { Gifts } from './resources/gifts.ts';
import { Ledger } from './resources/ledger.ts';
import { Mail } from './resources/mail.ts';
import { Me } from './resources/me.ts';
import { Members } from './resources/members.ts';
import { Orders } from './resources/orders.ts';
import { Outbox } from './resources/outbox.ts';
import { Payroll } from './resources/payroll.ts';
import { Pools } from './resources/pools.ts';
import { Reasons } from './resources/reasons.ts';
import { Redemptions } from './resources/redemptions.ts';
import { Reports } from './resources/reports.ts';
import { Rules } from './resources/rules.ts';
import { Settings } from './resources/settings.ts';
import { Shoutouts } from './resources/shoutouts.ts';
import { SpendingOptions } from './resources/spending-options.ts';
import { SpendingRequests } from './resources/spending-requests.ts';
import { Tokens } from './resources/tokens.ts';
import { Users } from './resources/users.ts';
import { Webhooks } from './resources/webhooks.ts';
import { createTransport, type Fetch } from './transport.ts';

/** Where Giftwire is, and who is calling. */
export interface GiftwireOptions {
  /** The address of the service, as https://gifts.example.com. */
  url: string;
  /** The id of the workspace. */
  workspace: number | string;
  /** An API token, as gw_live_…. Leave it out in a browser where the cookie of a session serves. */
  token?: string | undefined;
  /** How long one attempt may take; 30 seconds when absent. */
  timeoutMs?: number | undefined;
  /** How often a call is repeated that may be repeated; 3 when absent. */
  retries?: number | undefined;
  /** Used in place of the global `fetch`, for instance to go through a proxy. */
  fetch?: Fetch | undefined;
  /** Called with every attempt, response and retry. */
  hooks?: Hooks | undefined;
}

/** A client of one workspace. */
export class Giftwire {
  /** Send gifts, follow the orders, read their certificates. */
  readonly orders: Orders;
  /** Where each gift stands, and how to put right what went wrong. */
  readonly gifts: Gifts;
  /** What recipients have spent, and what tills do. */
  readonly redemptions: Redemptions;
  /** How recipients can spend their gifts. */
  readonly spendingOptions: SpendingOptions;
  /** Emails about gifts that came back. */
  readonly bounces: Bounces;
  /** What is left in budgets. */
  readonly balances: Balances;
  /** What may be spent, what was, and the ledger that proves it. */
  readonly budgets: Budgets;
  /** Cancels, resends and extensions of many gifts. */
  readonly bulkActions: BulkActions;
  /** The proof that every cent is accounted for. */
  readonly ledger: Ledger;
  /** Codes of shops that a company bought for its recipients. */
  readonly pools: Pools;
  /** What is paid with the salary, as closed files. */
  readonly payroll: Payroll;
  /** Who was recognized, and when last. */
  readonly reports: Reports;
  /** The people of the workspace. */
  readonly members: Members;
  /** Say thanks without a gift. */
  readonly shoutouts: Shoutouts;
  /** The fields of people that the workspace defines. */
  readonly customFields: CustomFields;
  /** What people are recognized for. */
  readonly reasons: Reasons;
  readonly rules: Rules;
  readonly approvals: Approvals;
  /** What the service does for people on their days. */
  readonly automations: Automations;
  /** Everything that happens in the workspace. */
  readonly events: Events;
  /** Events posted to other systems. */
  readonly webhooks: Webhooks;

  /** The people who sign in to the console, and their roles. */
  readonly users: Users;
  /** API tokens of the workspace. */
  readonly tokens: Tokens;
  /** Who did what. */
  readonly audit: Audit;
  /** Who is calling, and what they may do. */
  readonly me: Me;

  /** Branding, emails and policies of the workspace. */
  readonly settings: Settings;
  /** How emails leave the installation. */
  readonly mail: Mail;
  /** Sent emails, in the test environment. */
  readonly outbox: Outbox;
  /** What recipients ask for, and the people team fulfils or declines. */
  readonly spendingRequests: SpendingRequests;
  /** The workspace's time, which the test environment can move. */
  readonly clock: Clock;

  /** Throws a TypeError that names what is wrong with an option. */
  constructor(options: GiftwireOptions) {
    checkOptions(options);
    const { url, workspace, token, timeoutMs = 30_000, retries = 3, fetch, hooks = {} } = options;
    const transport = createTransport({
      url: url.replace(/\/+$/, ''),
      headers: {
        'X-Workspace-id': String(workspace),
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      },
      // Looked up with each call, because programs replace it.
      fetch: fetch ?? ((address, init) => globalThis.fetch(address, init)),
      timeoutMs,
      retries,
      hooks,
    });
    this.orders = new Orders(transport);
    this.gifts = new Gifts(transport);
    this.redemptions = new Redemptions(transport);
    this.spendingOptions = new SpendingOptions(transport);
    this.bounces = new Bounces(transport);
    this.balances = new Balances(transport);
    this.budgets = new Budgets(transport);
    this.bulkActions = new BulkActions(transport);
    this.ledger = new Ledger(transport);
    this.pools = new Pools(transport);
    this.payroll = new Payroll(transport);
    this.reports = new Reports(transport);
    this.members = new Members(transport);
    this.shoutouts = new Shoutouts(transport);
    this.customFields = new CustomFields(transport);
    this.reasons = new Reasons(transport);
    this.rules = new Rules(transport);
    this.approvals = new Approvals(transport);
    this.automations = new Automations(transport);
    this.events = new Events(transport);
    this.webhooks = new Webhooks(transport);
    this.users = new Users(transport);
    this.tokens = new Tokens(transport);
    this.audit = new Audit(transport);
    this.me = new Me(transport);
    this.settings = new Settings(transport);
    this.mail = new Mail(transport);
    this.outbox = new Outbox(transport);
    this.spendingRequests = new SpendingRequests(transport);
    this.clock = new Clock(transport);
  }
}
