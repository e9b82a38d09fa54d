import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type * as Sdk from '@giftwire/sdk';
import type { Static, TObject, TSchema } from 'typebox';
import type * as Activities from '../../src/contract/activity.ts';
import type * as Actors from '../../src/contract/actor.ts';
import type * as Audits from '../../src/contract/audit.ts';
import type * as Bounces from '../../src/contract/bounce.ts';
import type * as Budgets from '../../src/contract/budget.ts';
import type * as Coverage from '../../src/contract/coverage.ts';
import type * as Events from '../../src/contract/event.ts';
import type * as Gifts from '../../src/contract/gift.ts';
import type * as Drafts from '../../src/contract/gift-draft.ts';
import type * as LedgerContract from '../../src/contract/ledger.ts';
import type * as Entries from '../../src/contract/ledger-entry.ts';
import type * as Mails from '../../src/contract/mail.ts';
import type * as Callers from '../../src/contract/me.ts';
import type * as Members from '../../src/contract/member.ts';
import type * as MemberActivities from '../../src/contract/member-activity.ts';
import type * as MemberChanges from '../../src/contract/member-change.ts';
import type * as Imports from '../../src/contract/member-import.ts';
import type * as Orders from '../../src/contract/order.ts';
import type * as OrderLists from '../../src/contract/order-list.ts';
import type * as Validations from '../../src/contract/order-validation.ts';
import type * as Overviews from '../../src/contract/overview.ts';
import type { PageFields, PageQuery } from '../../src/contract/paging.ts';
import type * as Payrolls from '../../src/contract/payroll.ts';
import type * as Pools from '../../src/contract/pool.ts';
import type { Problem } from '../../src/contract/problem.ts';
import type * as Reasons from '../../src/contract/reason.ts';
import type * as Recipients from '../../src/contract/recipient.ts';
import type * as Redemptions from '../../src/contract/redemption.ts';
import type * as Reports from '../../src/contract/report.ts';
import type { SpanFields, SpanQuery } from '../../src/contract/report-span.ts';
import type * as Settings from '../../src/contract/settings.ts';
import type * as Shoutouts from '../../src/contract/shoutout.ts';
import type * as TaxLogs from '../../src/contract/tax-log.ts';
import type * as Tills from '../../src/contract/till.ts';
import type * as Tokens from '../../src/contract/token.ts';
import type * as Users from '../../src/contract/user.ts';
import type * as Ways from '../../src/contract/way.ts';
import type * as Webhooks from '../../src/contract/webhook.ts';
import type * as Wishes from '../../src/contract/wish.ts';
import { projectDir } from '../support/process.ts';

/** Interfaces and intersections as plain objects, so that only the fields are compared. */
type Plain<T> = T extends readonly (infer Element)[]
  ? Plain<Element>[]
  : T extends object
    ? { [Key in keyof T]: Plain<T[Key]> }
    : T;
/** True where both types accept the same values, field for field, optional ones and null included. */
type Same<A, B> = Exactly<Plain<A>, Plain<B>>;
type Exactly<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Queries have defaults, so callers may leave everything out. */
type Query<T> = Partial<T>;
type OptionalKeys<T, Key extends keyof T> = Omit<T, Key> & Partial<Pick<T, Key>>;
type Fields<T> = { [Key in keyof T]: T[Key] extends TSchema ? Static<T[Key]> : never };

type Event = Sdk.GiftwireEvent;
type EventEnvelope = Omit<Events.EventRecord, 'type' | 'data'>;
type ContractEvent = {
  [T in Events.EventType]: EventEnvelope & Extract<Events.NewEvent, { type: T }>;
}[Events.EventType];
type CsvFields = 'bom';

/** Each line does not compile unless the two types are the same. */
const proofs: { [name: string]: true } = {
  Page: same<Sdk.Page, Fields<typeof PageFields>>(),
  PageQuery: same<Sdk.PageQuery, Query<Fields<typeof PageQuery>>>(),
  MemberReference: same<Sdk.MemberReference, Static<typeof Recipients.MemberReference>>(),
  Recipient: same<Sdk.Recipient, Static<typeof Recipients.Recipient>>(),
  Role: same<Sdk.Role, (typeof Callers.roleNames)[number]>(),
  MyWorkspace: same<Sdk.MyWorkspace, Callers.Me['workspaces'][number]>(),
  MyUser: same<Sdk.MyUser, NonNullable<Callers.Me['user']>>(),
  MyToken: same<Sdk.MyToken, NonNullable<Callers.Me['token']>>(),
  Me: same<Sdk.Me, Callers.Me>(),
  MyChange: same<Sdk.MyChange, Callers.MyChange>(),
  MyPassword: same<Sdk.MyPassword, Callers.MyPassword>(),
  MySession: same<Sdk.MySession, Callers.MyAccount['sessions'][number]>(),
  MyAccount: same<Sdk.MyAccount, Callers.MyAccount>(),
  NewUser: same<Sdk.NewUser, Users.NewUser>(),
  UserChange: same<Sdk.UserChange, Users.UserChange>(),
  User: same<Sdk.User, Users.User>(),
  UserWithLink: same<Sdk.UserWithLink, Users.UserWithLink>(),
  SignInLink: same<Sdk.SignInLink, Users.SignInLink>(),
  UserQuery: same<Sdk.UserQuery, Query<Users.UserQuery>>(),
  UserPage: same<Sdk.UserPage, Users.UserPage>(),
  NewToken: same<Sdk.NewToken, Tokens.NewToken>(),
  Token: same<Sdk.Token, Tokens.Token>(),
  TokenWithSecret: same<Sdk.TokenWithSecret, Tokens.TokenWithSecret>(),
  TokenRotation: same<Sdk.TokenRotation, Tokens.TokenRotation>(),
  TokenQuery: same<Sdk.TokenQuery, Query<Tokens.TokenQuery>>(),
  TokenPage: same<Sdk.TokenPage, Tokens.TokenPage>(),
  ActorKind: same<Sdk.ActorKind, (typeof Actors.actorKinds)[number]>(),
  Actor: same<Sdk.Actor, Actors.Actor>(),
  AuditEntry: same<Sdk.AuditEntry, Audits.AuditEntry>(),
  AuditQuery: same<Sdk.AuditQuery, Query<Audits.AuditQuery>>(),
  AuditPage: same<Sdk.AuditPage, Audits.AuditPage>(),
  Settings: same<Sdk.Settings, Settings.Settings>(),
  SettingsChange: same<Sdk.SettingsChange, Settings.SettingsChange>(),
  MailSetup: same<Sdk.MailSetup, Mails.MailSetup>(),
  MailTest: same<Sdk.MailTest, Mails.MailTest>(),
  MailTestResult: same<Sdk.MailTestResult, Mails.MailTestResult>(),
  OutboxMail: same<Sdk.OutboxMail, Mails.OutboxMail>(),
  OutboxMailWithText: same<Sdk.OutboxMailWithText, Mails.OutboxMailWithText>(),
  OutboxPage: same<Sdk.OutboxPage, Mails.OutboxPage>(),
  OutboxQuery: same<Sdk.OutboxQuery, Query<Mails.OutboxQuery>>(),
  OrderItem: same<Sdk.OrderItem, Orders.OrderRequest['orderItems'][number]>(),
  OrderRequest: same<Sdk.OrderRequest, Orders.OrderRequest>(),
  OrderRequestStatus: same<Sdk.OrderRequestStatus, Orders.OrderRequestStatus>(),
  Certificate: same<Sdk.Certificate, Orders.OrderRecord['certificates'][number]>(),
  OrderRecord: same<Sdk.OrderRecord, Orders.OrderRecord>(),
  OrderFault: same<Sdk.OrderFault, Validations.OrderValidation['faults'][number]>(),
  GiftTwin: same<Sdk.GiftTwin, NonNullable<Validations.OrderValidation['items'][number]['twin']>>(),
  RecipientOutcome: same<Sdk.RecipientOutcome, (typeof Validations.recipientOutcomes)[number]>(),
  OrderItemValidation: same<Sdk.OrderItemValidation, Validations.OrderValidation['items'][number]>(),
  OrderValidationCounts: same<Sdk.OrderValidationCounts, Validations.OrderValidation['counts']>(),
  OrderBudget: same<Sdk.OrderBudget, NonNullable<Validations.OrderValidation['budget']>>(),
  OrderValidation: same<Sdk.OrderValidation, Validations.OrderValidation>(),
  OrderSummary: same<Sdk.OrderSummary, OrderLists.OrderSummary>(),
  OrderListQuery: same<Sdk.OrderListQuery, Query<OrderLists.OrderListQuery>>(),
  OrderPage: same<Sdk.OrderPage, OrderLists.OrderPage>(),
  OrderLine: same<Sdk.OrderLine, OrderLists.OrderDetails['lines'][number]>(),
  OrderDetails: same<Sdk.OrderDetails, OrderLists.OrderDetails>(),
  Bounce: same<Sdk.Bounce, Bounces.Bounce>(),
  BounceResult: same<Sdk.BounceResult, Static<typeof Bounces.BounceResult>>(),
  GiftState: same<Sdk.GiftState, (typeof Gifts.giftStates)[number]>(),
  GiftDelivery: same<Sdk.GiftDelivery, (typeof Gifts.deliveries)[number]>(),
  GiftRecipient: same<Sdk.GiftRecipient, Gifts.GiftRecord['recipient']>(),
  Gift: same<Sdk.Gift, Gifts.GiftRecord>(),
  TimelineEntry: same<Omit<Sdk.TimelineEntry, 'detail'>, Omit<Gifts.GiftDetails['timeline'][number], 'detail'>>(),
  GiftDetails: same<Omit<Sdk.GiftDetails, 'timeline'>, Omit<Gifts.GiftDetails, 'timeline'>>(),
  GiftQuery: same<Sdk.GiftQuery, Omit<Query<Gifts.GiftQuery>, CsvFields>>(),
  GiftPage: same<Sdk.GiftPage, Gifts.GiftPage>(),
  GiftCorrection: same<Sdk.GiftCorrection, Gifts.GiftCorrection>(),
  GiftExtension: same<Sdk.GiftExtension, Gifts.GiftExtension>(),
  GiftBrand: same<Sdk.GiftBrand, NonNullable<Drafts.GiftDraft['brand']>>(),
  GiftDraft: same<Sdk.GiftDraft, Drafts.GiftDraft>(),
  GiftPreview: same<Sdk.GiftPreview, Drafts.GiftPreview>(),
  GiftTest: same<Sdk.GiftTest, Drafts.GiftTest>(),
  PrintQuery: same<Pick<Sdk.PrintQuery, 'requestId'>, Pick<Query<Static<typeof Gifts.PrintQuery>>, 'requestId'>>(),
  BudgetKind: same<Sdk.BudgetKind, Budgets.Budget['kind']>(),
  BudgetLevel: same<Sdk.BudgetLevel, Budgets.Budget['level']>(),
  NewAllotment: same<Sdk.NewAllotment, Budgets.NewAllotment>(),
  Allotment: same<Sdk.Allotment, NonNullable<Budgets.Budget['allotment']>>(),
  BudgetChange: same<Sdk.BudgetChange, Budgets.BudgetChange>(),
  NewBudget: same<Sdk.NewBudget, Budgets.NewBudget>(),
  MoneyGrant: same<Sdk.MoneyGrant, Budgets.Grant>(),
  BudgetMember: same<Sdk.BudgetMember, NonNullable<Budgets.Budget['member']>>(),
  Budget: same<Sdk.Budget, Budgets.Budget>(),
  BudgetQuery: same<Sdk.BudgetQuery, Omit<Query<Budgets.BudgetQuery>, CsvFields>>(),
  BudgetPage: same<Sdk.BudgetPage, Budgets.BudgetPage>(),
  LedgerAccount: same<Sdk.LedgerAccount, Entries.LedgerEntry['source']>(),
  LedgerEntryType: same<Sdk.LedgerEntryType, Entries.LedgerEntry['type']>(),
  LedgerEntry: same<Sdk.LedgerEntry, Entries.LedgerEntry>(),
  LedgerLine: same<Sdk.LedgerLine, Entries.LedgerEntryDetails['orders'][number]>(),
  LedgerEntryDetails: same<Sdk.LedgerEntryDetails, Entries.LedgerEntryDetails>(),
  LedgerEntryPage: same<Sdk.LedgerEntryPage, Entries.LedgerEntryPage>(),
  LedgerFault: same<Sdk.LedgerFault, LedgerContract.LedgerVerification['faults'][number]>(),
  LedgerVerification: same<Sdk.LedgerVerification, LedgerContract.LedgerVerification>(),
  VerificationQuery: same<Sdk.VerificationQuery, LedgerContract.VerificationQuery>(),
  WayKind: same<Sdk.WayKind, Ways.WayKind>(),
  TaxType: same<Sdk.TaxType, Ways.TaxType>(),
  PayrollField: same<Sdk.PayrollField, NonNullable<Ways.PayrollColumn['field']>>(),
  PayrollColumn: same<Sdk.PayrollColumn, Ways.PayrollColumn>(),
  Way: same<Sdk.Way, Ways.Way>(),
  WaySetting: same<Sdk.WaySetting, Ways.WaySetting>(),
  RedemptionState: same<Sdk.RedemptionState, Redemptions.RedemptionState>(),
  Redemption: same<Sdk.Redemption, Redemptions.Redemption>(),
  RedemptionQuery: same<Sdk.RedemptionQuery, Omit<Query<Redemptions.RedemptionQuery>, CsvFields>>(),
  RedemptionPage: same<Sdk.RedemptionPage, Redemptions.RedemptionPage>(),
  TillCheck: same<Sdk.TillCheck, Tills.TillCheck>(),
  CheckedGift: same<Sdk.CheckedGift, Tills.CheckedGift>(),
  TillRedemption: same<Sdk.TillRedemption, Tills.TillRedemption>(),
  PayrollExport: same<Sdk.PayrollExport, Payrolls.PayrollExport>(),
  PayrollPage: same<Sdk.PayrollPage, Payrolls.PayrollPage>(),
  PayrollQuery: same<Sdk.PayrollQuery, Query<Payrolls.PayrollQuery>>(),
  TaxLine: same<Sdk.TaxLine, TaxLogs.TaxLine>(),
  TaxLogPage: same<Sdk.TaxLogPage, TaxLogs.TaxLogPage>(),
  TaxLogQuery: same<Sdk.TaxLogQuery, OptionalKeys<Omit<TaxLogs.TaxLogQuery, CsvFields>, 'size'>>(),
  WorkspaceBalance: same<Sdk.WorkspaceBalance, Budgets.WorkspaceBalance>(),
  MemberBalance: same<Sdk.MemberBalance, Budgets.MemberBalance>(),
  MemberBalanceResponse: same<Sdk.MemberBalanceResponse, Budgets.MemberBalancePage['memberBalanceResponses'][number]>(),
  MemberBalancePage: same<Sdk.MemberBalancePage, Budgets.MemberBalancePage>(),
  NewPool: same<Sdk.NewPool, Pools.NewPool>(),
  PoolChange: same<Sdk.PoolChange, Pools.PoolChange>(),
  Wish: same<Sdk.Wish, Wishes.Wish>(),
  WishDecision: same<Sdk.WishDecision, Wishes.WishDecision>(),
  PoolStock: same<Sdk.PoolStock, Pools.PoolStock>(),
  Pool: same<Sdk.Pool, Pools.Pool>(),
  AddedCodes: same<Sdk.AddedCodes, Pools.AddedCodes>(),
  CodeRemoval: same<Sdk.CodeRemoval, Pools.CodeRemoval>(),
  RemovedCodes: same<Sdk.RemovedCodes, Pools.RemovedCodes>(),
  Manager: same<Sdk.Manager, NonNullable<Members.Member['manager']>>(),
  Team: same<Sdk.Team, Members.Member['team']>(),
  Member: same<Sdk.Member, Members.Member>(),
  MemberFilters: same<Sdk.MemberFilters, Omit<Query<Members.MemberQuery>, 'search' | keyof Sdk.PageQuery>>(),
  MemberQuery: same<Sdk.MemberQuery, Query<Members.MemberQuery>>(),
  MemberPage: same<Sdk.MemberPage, Members.MemberPage>(),
  SuggestionQuery: same<Sdk.SuggestionQuery, OptionalKeys<Members.SuggestionQuery, 'size'>>(),
  MemberSuggestion: same<Sdk.MemberSuggestion, Members.MemberSuggestion>(),
  NewMember: same<Sdk.NewMember, MemberChanges.NewMember>(),
  MemberChange: same<Sdk.MemberChange, MemberChanges.MemberChange>(),
  MemberLeaving: same<Sdk.MemberLeaving, MemberChanges.MemberLeaving>(),
  MemberMerge: same<Sdk.MemberMerge, MemberChanges.MemberMerge>(),
  MemberActivity: same<Sdk.MemberActivity, MemberActivities.MemberActivity>(),
  MemberActivityQuery: same<Sdk.MemberActivityQuery, Query<MemberActivities.MemberActivityQuery>>(),
  MemberActivityPage: same<Sdk.MemberActivityPage, MemberActivities.MemberActivityPage>(),
  ImportQuery: same<Omit<Sdk.ImportQuery, 'map'>, Omit<Query<Imports.ImportQuery>, 'map'>>(),
  ImportFault: same<Sdk.ImportFault, Imports.ImportResult['faults'][number]>(),
  ImportChange: same<Sdk.ImportChange, Imports.ImportResult['changes'][number]>(),
  ImportResult: same<Omit<Sdk.ImportResult, 'columns'>, Omit<Imports.ImportResult, 'columns'>>(),
  UserSummary: same<Sdk.UserSummary, Static<typeof Activities.UserSummary>>(),
  ActivityReason: same<Sdk.ActivityReason, Activities.Activity['reason']>(),
  Activity: same<Sdk.Activity, Activities.Activity>(),
  TeamActivityPage: same<Sdk.TeamActivityPage, Reports.TeamActivityPage>(),
  TeamMember: same<Sdk.TeamMember, Reports.LastRecognizedPage['teamMembers'][number]['teamMember']>(),
  LastRecognized: same<Sdk.LastRecognized, Reports.LastRecognizedPage['teamMembers'][number]>(),
  LastRecognizedQuery: same<Sdk.LastRecognizedQuery, Omit<Query<Reports.LastRecognizedQuery>, CsvFields>>(),
  LastRecognizedPage: same<Sdk.LastRecognizedPage, Reports.LastRecognizedPage>(),
  Span: same<Sdk.Span, Fields<typeof SpanFields>>(),
  SpanQuery: same<Sdk.SpanQuery, Query<Static<TObject<typeof SpanQuery>>>>(),
  Amount: same<Sdk.Amount, Overviews.Amount>(),
  SeriesStep: same<Sdk.SeriesStep, Overviews.SeriesQuery['by']>(),
  SeriesQuery: same<Sdk.SeriesQuery, Omit<Query<Overviews.SeriesQuery>, CsvFields>>(),
  SeriesPoint: same<Sdk.SeriesPoint, Overviews.SeriesPoint>(),
  Series: same<Sdk.Series, Overviews.Series>(),
  FailedGift: same<Sdk.FailedGift, NonNullable<Overviews.Attention['latestFailure']>>(),
  Attention: same<Sdk.Attention, Overviews.Attention>(),
  OverviewSpan: same<Sdk.OverviewSpan, Overviews.OverviewSpan>(),
  Overview: same<Sdk.Overview, Overviews.Overview>(),
  CoverageGrouping: same<Sdk.CoverageGrouping, Coverage.Grouping>(),
  CoverageQuery: same<Sdk.CoverageQuery, Omit<Query<Coverage.CoverageQuery>, CsvFields>>(),
  CoverageCounts: same<Sdk.CoverageCounts, Coverage.CoverageCounts>(),
  CoverageGroup: same<Sdk.CoverageGroup, Coverage.CoverageGroup>(),
  CoveragePage: same<Sdk.CoveragePage, Coverage.CoveragePage>(),
  ReportPerson: same<Sdk.ReportPerson, Coverage.ManagerFairness['manager']>(),
  ManagerFairness: same<Sdk.ManagerFairness, Coverage.ManagerFairness>(),
  FairnessQuery: same<Sdk.FairnessQuery, Omit<Query<Coverage.FairnessQuery>, CsvFields>>(),
  FairnessPage: same<Sdk.FairnessPage, Coverage.FairnessPage>(),
  NotRecognizedQuery: same<Sdk.NotRecognizedQuery, Omit<Query<Coverage.NotRecognizedQuery>, CsvFields>>(),
  NotRecognized: same<Sdk.NotRecognized, Coverage.NotRecognized>(),
  NotRecognizedPage: same<Sdk.NotRecognizedPage, Coverage.NotRecognizedPage>(),
  CsvQuery: same<Sdk.CsvQuery, Pick<Query<Reports.LastRecognizedQuery>, CsvFields>>(),
  ShoutoutRequest: same<Sdk.ShoutoutRequest, OptionalKeys<Shoutouts.ShoutoutRequest, 'isPrivate'>>(),
  ShoutoutStatus: same<Sdk.ShoutoutStatus, Shoutouts.Shoutout['status']>(),
  Shoutout: same<Sdk.Shoutout, Shoutouts.Shoutout>(),
  ShoutoutQuery: same<Sdk.ShoutoutQuery, Query<Shoutouts.ShoutoutQuery>>(),
  ShoutoutPage: same<Sdk.ShoutoutPage, Shoutouts.ShoutoutPage>(),
  Decision: same<Sdk.Decision, Shoutouts.Decision>(),
  NewReason: same<Sdk.NewReason, Reasons.NewReason>(),
  ReasonChange: same<Sdk.ReasonChange, Reasons.ReasonChange>(),
  Reason: same<Sdk.Reason, Reasons.Reason>(),
  EventType: same<Sdk.EventType, Events.EventType>(),
  EventData: same<Sdk.EventData, { [T in Events.EventType]: Extract<Events.NewEvent, { type: T }>['data'] }>(),
  EventOf: same<Sdk.EventOf<'order.failed'>, Extract<ContractEvent, { type: 'order.failed' }>>(),
  GiftwireEvent: same<Event, ContractEvent>(),
  EventQuery: same<Omit<Sdk.EventQuery, 'types'>, Omit<Query<Events.EventQuery>, 'types'>>(),
  EventPage: same<Omit<Sdk.EventPage, 'events'>, Omit<Events.EventPage, 'events'>>(),
  NewWebhook: same<Sdk.NewWebhook, Webhooks.NewWebhook>(),
  WebhookChange: same<Sdk.WebhookChange, Webhooks.WebhookChange>(),
  Webhook: same<Sdk.Webhook, Webhooks.Webhook>(),
  WebhookWithSecret: same<Sdk.WebhookWithSecret, Webhooks.WebhookWithSecret>(),
  WebhookAttempt: same<Sdk.WebhookAttempt, Webhooks.WebhookAttempt>(),
  WebhookReplay: same<Sdk.WebhookReplay, Webhooks.WebhookReplay>(),
  ErrorType: same<Extract<Sdk.ErrorType, ServiceErrorType>, ServiceErrorType>(),
};
type ServiceErrorType = Static<typeof Problem>['type'];

function same<A, B>(..._proof: Same<A, B> extends true ? [] : [differs: { sdk: Plain<A>; contract: Plain<B> }]): true {
  return true;
}

test('every type of the SDK is proved to be the type of the contract', () => {
  const texts = globSync('sdk/src/types/*.ts', { cwd: projectDir }).map((path) =>
    readFileSync(join(projectDir, path), 'utf8'),
  );
  const names = texts.flatMap((text) =>
    [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name),
  );
  assert.ok(names.length > 40);
  assert.deepEqual(
    names.filter((name) => !Object.hasOwn(proofs, name as string)),
    [],
  );
});

test('every type and field of the SDK has a sentence', () => {
  for (const path of globSync('sdk/src/types/*.ts', { cwd: projectDir })) {
    const lines = readFileSync(join(projectDir, path), 'utf8').split('\n');
    lines.forEach((line, at) => {
      const isDeclared = /^export /.test(line) || /^ {2}['\w.]+\??: /.test(line);
      if (isDeclared) assert.match(lines[at - 1] as string, /^\s*(\/\*\*.*)?\*\/$/, `${path}:${at + 1} ${line.trim()}`);
    });
  }
});
