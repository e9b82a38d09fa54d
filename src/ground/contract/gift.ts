import Type, { type Static } from 'typebox';
import { longest } from '../values/text.ts';
import { IdempotencyHeader } from './idempotency.ts';
import { CsvQuery, PageQuery } from './paging.ts';
import {
  aMoment,
  aMomentOrNull,
  anId,
  dayOrMoment,
  examplePerson,
  named,
  nullable,
  oneOf,
  ref,
  strictQuery,
} from './schema.ts';

export const giftStates = ['ISSUED', 'CLAIMED', 'PARTLY_REDEEMED', 'REDEEMED', 'EXPIRED', 'CANCELLED'] as const;
export const deliveries = ['NONE', 'SCHEDULED', 'QUEUED', 'SENT', 'DEFERRED', 'FAILED', 'NO_ADDRESS'] as const;

const requestId = Type.String({
  format: 'uuid',
  description: 'The requestId of its order.',
  examples: ['019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e5f'],
});

export const GiftRecipient = named(
  'GiftRecipient',
  Type.Object(
    {
      id: Type.Integer({ description: 'The member id of the recipient.', examples: [7] }),
      firstName: Type.String({ description: 'Empty where it is not known.', examples: [examplePerson.firstName] }),
      lastName: Type.String({ description: 'Empty where it is not known.', examples: [examplePerson.lastName] }),
      email: nullable<string>('string', {
        description: 'The address in the directory.',
        examples: [examplePerson.email],
      }),
      employeeNumber: nullable<string>('string', {
        description: "The company's own number for the person.",
        examples: [examplePerson.employeeNumber],
      }),
    },
    { description: 'The person who gets a gift. Merged records resolve to the surviving one.' },
  ),
);

const fields = {
  id: Type.Integer({ description: 'The id of its certificate.', examples: [90210] }),
  requestId,
  customerRequestId: nullable<string>('string', {
    description: 'The X-Customer-Request-Id of its order.',
    examples: ['payroll-2026-11-0042'],
  }),
  state: oneOf(giftStates, { description: 'What has become of the gift.' }),
  delivery: oneOf(deliveries, {
    description:
      'What has become of its email. SENT: a mail server has taken it; whether it arrived is not known. NO_ADDRESS: the recipient has no email address.',
  }),
  address: nullable<string>('string', {
    description: "Where its email goes: the recipient's email address, or the one that it was corrected to.",
    examples: [examplePerson.email],
  }),
  edition: Type.Integer({
    description: '0, and greater each time that its tokens were replaced.',
    examples: [0],
  }),
  amount: Type.Number({ description: 'What it is worth.', examples: [25] }),
  redeemed: Type.Number({ description: 'How much of it the recipient has spent.', examples: [10] }),
  currency: Type.String({ description: 'ISO 4217 code.', examples: ['CAD'] }),
  message: Type.String({ description: 'The text sent with it.', examples: ['Thank you for the launch!'] }),
  reason: Type.String({ description: 'What it is for.', examples: ['Thank you'] }),
  language: Type.String({ description: 'The language and region of its email and its page.', examples: ['EN_CA'] }),
  senderId: Type.Integer({ description: 'The member id that the token of its order acts as.', examples: [1] }),
  senderName: Type.String({ description: 'The name on that token, else of the workspace.', examples: ['Payroll'] }),
  recipient: ref(GiftRecipient, { description: 'Who gets it.' }),
  orderedAt: aMoment('When its order was accepted. Lists are sorted and filtered by it.', '2026-11-02T14:03:27.498Z'),
  issuedAt: aMoment('When it was issued.', '2026-11-02T14:03:27.512Z'),
  dueAt: aMomentOrNull('When its email is sent, or tried again; null unless the email waits.', null),
  sentAt: aMomentOrNull('When a mail server has taken its email last.', '2026-11-02T14:03:31.040Z'),
  viewedAt: aMomentOrNull('When its page was opened first. That may have been an email scanner.', null),
  claimedAt: aMomentOrNull('When the recipient has accepted it.', null),
  expiresAt: aMomentOrNull('The end of the last day on which it can be claimed; null: it does not expire.', null),
  thanks: nullable<string>('string', {
    description: 'What the recipient wrote to the sender.',
    examples: ['What a lovely surprise!'],
  }),
};

const GiftRecord = named(
  'Gift',
  Type.Object(fields, { description: 'A gift and where it stands. Its tokens are in the record of its order alone.' }),
);
export type GiftRecord = Static<typeof GiftRecord>;

const TimelineEntry = named(
  'TimelineEntry',
  Type.Object(
    {
      type: Type.String({
        description:
          'ISSUED, SENT, DEFERRED, DELIVERY_FAILED, VIEWED, CLAIMED, THANKED, REMINDED, RESENT (the email was sent again), REISSUED, EXTENDED, EXPIRED, CANCELLED, REDEEMED (the recipient spent it or a part), REVERSED (a redemption was taken back). More may be added.',
        examples: ['SENT'],
      }),
      at: aMoment('When it happened.', '2026-11-02T14:03:31.040Z'),
      detail: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description:
          'What else is known, for instance `answer`: what the mail server said, and `by`: who asked for it, as { is, name }.',
        examples: [{ answer: '250 2.0.0 OK' }],
      }),
    },
    { description: 'Something that happened to a gift.' },
  ),
);

export const GiftDetails = named(
  'GiftDetails',
  Type.Object(
    {
      ...fields,
      reminderAt: aMomentOrNull(
        'When the next reminder is sent, if the gift is not claimed before; null: none is planned.',
        null,
      ),
      timeline: Type.Array(ref(TimelineEntry), { description: 'What happened, in the order of time.' }),
    },
    { description: 'A gift with everything that happened to it.' },
  ),
);
export type GiftDetails = Static<typeof GiftDetails>;

export const GiftPage = named(
  'GiftPage',
  Type.Object(
    {
      gifts: Type.Array(ref(GiftRecord), { description: 'The newest first.' }),
      next: nullable<number>('integer', {
        description:
          'Send it as `after` to read on; null at the end. A page can have fewer gifts than `size` though more follow: rare ones are searched in pieces.',
        examples: [null],
      }),
    },
    { description: 'A page of gifts, and where to continue.' },
  ),
);
export type GiftPage = Static<typeof GiftPage>;

export const giftFilters = {
  state: Type.Optional(oneOf(giftStates, { description: 'Only gifts in this state.' })),
  delivery: Type.Optional(oneOf(deliveries, { description: 'Only gifts whose mail stands there.' })),
  member: Type.Optional(anId('Only gifts to the member with this id.')),
  requestId: Type.Optional(Type.String({ format: 'uuid', description: 'Only gifts of this order.' })),
  search: Type.Optional(
    Type.String({
      format: 'text',
      maxLength: 200,
      description:
        "Words. Each must occur in the recipient's name, email address or employee number in the directory, ignoring case.",
    }),
  ),
  from: dayOrMoment(
    "Only gifts ordered from this day or moment on. A day, for example 2026-11-02, begins and ends in the workspace's time zone.",
  ),
  to: dayOrMoment('Only gifts ordered up to the end of this day, or before this moment.'),
  expiresBefore: Type.Optional(
    aMoment('Only gifts that expire at this moment or earlier. Gifts without an expiry date are left out.'),
  ),
};

export const GiftQuery = strictQuery({
  ...giftFilters,
  size: PageQuery.size,
  after: Type.Optional(anId('The `next` of the page before. From the newest gift when absent.')),
  ...CsvQuery,
});
export type GiftQuery = Static<typeof GiftQuery>;

export const GiftParams = Type.Object({
  id: anId('The id of the gift.'),
});

export const GiftHeaders = Type.Object(IdempotencyHeader);

export const GiftCorrection = named(
  'GiftCorrection',
  Type.Object(
    {
      email: Type.String({
        minLength: 1,
        maxLength: longest.email,
        format: 'email',
        description: 'Where the gift goes now.',
        examples: [examplePerson.email],
      }),
    },
    { description: 'Where a gift goes instead.', examples: [{ email: 'grace.o@example.com' }] },
  ),
);
export type GiftCorrection = Static<typeof GiftCorrection>;

export const GiftExtension = named(
  'GiftExtension',
  Type.Object(
    {
      expiresOn: nullable<string>('string', {
        format: 'date',
        description:
          "The last day on which it can be claimed. It ends in the workspace's time zone. Null: it does not expire.",
        examples: ['2027-03-31'],
      }),
    },
    { description: 'Until when a gift can be claimed.', examples: [{ expiresOn: null }] },
  ),
);
export type GiftExtension = Static<typeof GiftExtension>;

/** The most gifts that are printed with one request: a full order. */
export const maxPrinted = 1_000;

export const PrintQuery = strictQuery({
  requestId: Type.Optional(Type.String({ format: 'uuid', description: 'The gifts of this order.' })),
  ids: Type.Optional(
    Type.String({
      pattern: '^[1-9]\\d{0,14}(,[1-9]\\d{0,14})*$',
      maxLength: 16 * maxPrinted,
      description: `The ids of gifts, separated by commas; up to ${maxPrinted}.`,
    }),
  ),
  perPage: oneOf(['1', '8'], { default: '1', description: 'How many gifts stand on a page.' }),
  workspaceId: Type.Optional(
    Type.String({
      pattern: '^\\d+$',
      description: 'In place of the header X-Workspace-id, for a browser that opens the document.',
    }),
  ),
});

export const giftSchemas = [
  GiftRecipient,
  GiftRecord,
  TimelineEntry,
  GiftDetails,
  GiftPage,
  GiftCorrection,
  GiftExtension,
];
