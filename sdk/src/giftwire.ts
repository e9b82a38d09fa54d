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
import { Erasures } from './resources/erasures.ts';
import { Events } from './resources/events.ts';
import { Feed } from './resources/feed.ts';
import { Gifts } from './resources/gifts.ts';
import { Ledger } from './resources/ledger.ts';
import { Mail } from './resources/mail.ts';
import { Me } from './resources/me.ts';
import { Members } from './resources/members.ts';
import { MyGifts, MySpending } from './resources/my.ts';
import { MyShoutouts } from './resources/my-shoutouts.ts';
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
import { Undos } from './resources/undos.ts';
import { Users } from './resources/users.ts';
import { Webhooks } from './resources/webhooks.ts';
import { createTransport, type Fetch, type Transport } from './transport.ts';

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

/** How a client reaches the service. */
class Connection {
  readonly #transport: Transport;

  /** Throws a TypeError that names what is wrong with an option. */
  constructor(options: GiftwireOptions) {
    checkOptions(options);
    const { url, workspace, token, timeoutMs = 30_000, retries = 3, fetch, hooks = {} } = options;
    this.#transport = createTransport({
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
  }

  protected get transport(): Transport {
    return this.#transport;
  }
}

/** A client of one workspace. */
export class Giftwire extends Connection {
  /** Send gifts, follow the orders, read their certificates. */
  readonly orders = new Orders(this.transport);
  /** Where each gift stands, and how to put right what went wrong. */
  readonly gifts = new Gifts(this.transport);
  /** The gifts of the caller, and what they do with them. */
  readonly myGifts = new MyGifts(this.transport);
  /** What the caller spends their gifts on, also several together. */
  readonly mySpending = new MySpending(this.transport);
  /** What recipients have spent, and what tills do. */
  readonly redemptions = new Redemptions(this.transport);
  /** How recipients can spend their gifts. */
  readonly spendingOptions = new SpendingOptions(this.transport);
  /** Emails about gifts that came back. */
  readonly bounces = new Bounces(this.transport);
  /** What is left in budgets. */
  readonly balances = new Balances(this.transport);
  /** What may be spent, what was, and the ledger that proves it. */
  readonly budgets = new Budgets(this.transport);
  /** Cancels, resends and extensions of many gifts. */
  readonly bulkActions = new BulkActions(this.transport);
  /** The proof that every cent is accounted for. */
  readonly ledger = new Ledger(this.transport);
  /** Codes of shops that a company bought for its recipients. */
  readonly pools = new Pools(this.transport);
  /** What is paid with the salary, as closed files. */
  readonly payroll = new Payroll(this.transport);
  /** Who was recognized, and when last. */
  readonly reports = new Reports(this.transport);
  /** The people of the workspace. */
  readonly members = new Members(this.transport);
  /** People whose erasure was asked for. */
  readonly erasures = new Erasures(this.transport);
  /** Say thanks without a gift. */
  readonly shoutouts = new Shoutouts(this.transport);
  /** The fields of people that the workspace defines. */
  readonly customFields = new CustomFields(this.transport);
  /** What people are recognized for. */
  readonly reasons = new Reasons(this.transport);
  /** When orders wait for approval or are rejected. */
  readonly rules = new Rules(this.transport);
  /** Orders that wait for a decision, and who decides. */
  readonly approvals = new Approvals(this.transport);
  /** Recognition between employees: posts, reactions, comments. */
  readonly feed = new Feed(this.transport);
  /** What the caller received and gave. */
  readonly myShoutouts = new MyShoutouts(this.transport);
  /** What the service does for people on their days. */
  readonly automations = new Automations(this.transport);
  /** Everything that happens in the workspace. */
  readonly events = new Events(this.transport);
  /** Events posted to other systems. */
  readonly webhooks = new Webhooks(this.transport);
  /** The people who sign in to the console, and their roles. */
  readonly users = new Users(this.transport);
  /** API tokens of the workspace. */
  readonly tokens = new Tokens(this.transport);
  /** What can be undone for a while. */
  readonly undos = new Undos(this.transport);
  /** Who did what. */
  readonly audit = new Audit(this.transport);
  /** Who is calling, and what they may do. */
  readonly me = new Me(this.transport);
  /** Branding, emails and policies of the workspace. */
  readonly settings = new Settings(this.transport);
  /** How emails leave the installation. */
  readonly mail = new Mail(this.transport);
  /** Sent emails, in the test environment. */
  readonly outbox = new Outbox(this.transport);
  /** What recipients ask for, and the people team fulfils or declines. */
  readonly spendingRequests = new SpendingRequests(this.transport);
  /** The workspace's time, which the test environment can move. */
  readonly clock = new Clock(this.transport);
}
