import type { Hooks } from './hooks.ts';
import { checkOptions } from './options.ts';
import * as resources from './resources.ts';
import { createTransport, type Fetch, type Transport } from './transport.ts';

/** Where Giftwire is, and who is calling. */
export interface GiftwireOptions {
  /** The URL of the service, for example https://gifts.example.com. */
  url: string;
  /** The id of the workspace. */
  workspace: number | string;
  /** An API token, for example gw_live_…. Leave it out in a browser where the cookie of a session serves. */
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
  readonly orders = new resources.Orders(this.transport);
  /** The status of each gift, and what repairs it. */
  readonly gifts = new resources.Gifts(this.transport);
  /** The gifts of the caller, and what they do with them. */
  readonly myGifts = new resources.MyGifts(this.transport);
  /** What the caller spends their gifts on, also several together. */
  readonly mySpending = new resources.MySpending(this.transport);
  /** What recipients have spent, and what tills do. */
  readonly redemptions = new resources.Redemptions(this.transport);
  /** How recipients can spend their gifts. */
  readonly spendingOptions = new resources.SpendingOptions(this.transport);
  /** Emails about gifts that came back. */
  readonly bounces = new resources.Bounces(this.transport);
  /** What is left in budgets. */
  readonly balances = new resources.Balances(this.transport);
  /** What may be spent, what was, and the ledger that proves it. */
  readonly budgets = new resources.Budgets(this.transport);
  /** Cancels, resends and extensions of many gifts. */
  readonly bulkActions = new resources.BulkActions(this.transport);
  /** The proof that every cent is accounted for. */
  readonly ledger = new resources.Ledger(this.transport);
  /** Codes of shops that a company bought for its recipients. */
  readonly pools = new resources.Pools(this.transport);
  /** What is paid with the salary, as closed files. */
  readonly payroll = new resources.Payroll(this.transport);
  /** Who was recognized, and when last. */
  readonly reports = new resources.Reports(this.transport);
  /** The people of the workspace. */
  readonly members = new resources.Members(this.transport);
  /** People whose erasure was asked for. */
  readonly erasures = new resources.Erasures(this.transport);
  /** Say thanks without a gift. */
  readonly shoutouts = new resources.Shoutouts(this.transport);
  /** The fields of people that the workspace defines. */
  readonly customFields = new resources.CustomFields(this.transport);
  /** What people are recognized for. */
  readonly reasons = new resources.Reasons(this.transport);
  /** When orders wait for approval or are rejected. */
  readonly rules = new resources.Rules(this.transport);
  /** Orders that wait for a decision, and who decides. */
  readonly approvals = new resources.Approvals(this.transport);
  /** Recognition between employees: posts, reactions, comments. */
  readonly feed = new resources.Feed(this.transport);
  /** What the caller received and gave. */
  readonly myShoutouts = new resources.MyShoutoutsResource(this.transport);
  /** What the service does for people on their days. */
  readonly automations = new resources.Automations(this.transport);
  /** Everything that happens in the workspace. */
  readonly events = new resources.Events(this.transport);
  /** Events posted to other systems. */
  readonly webhooks = new resources.Webhooks(this.transport);
  /** The people who sign in to the console, and their roles. */
  readonly users = new resources.Users(this.transport);
  /** API tokens of the workspace. */
  readonly tokens = new resources.Tokens(this.transport);
  /** What can be undone for a while. */
  readonly undos = new resources.Undos(this.transport);
  /** Who did what. */
  readonly audit = new resources.Audit(this.transport);
  /** Who is calling, and what they may do. */
  readonly me = new resources.MeResource(this.transport);
  /** Branding, emails and policies of the workspace. */
  readonly settings = new resources.SettingsResource(this.transport);
  /** How emails leave the installation. */
  readonly mail = new resources.Mail(this.transport);
  /** Sent emails, in the test environment. */
  readonly outbox = new resources.Outbox(this.transport);
  /** What recipients ask for, and the people team fulfils or declines. */
  readonly spendingRequests = new resources.SpendingRequests(this.transport);
  /** The workspace's time, which the test environment can move. */
  readonly clock = new resources.ClockResource(this.transport);
}
