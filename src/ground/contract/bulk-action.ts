import Type, { type Static } from 'typebox';
import { Actor } from './actor.ts';
import { giftFilters, maxPrinted } from './gift.ts';
import { PageFields, PageQuery } from './paging.ts';
import { aMoment, aMomentOrNull, anId, keepsNull, named, nullable, oneOf, ref, strictQuery } from './schema.ts';

const actions = ['CANCEL', 'RESEND', 'EXTEND'] as const;
export const bulkOutcomes = ['CHANGED', 'UNCHANGED', 'REJECTED'] as const;

/** Why a gift was left as it is. The single operation rejects it for the same reason, with a 409 or a 402. */
const repairReasons = [
  'CLAIMED',
  'REDEEMED',
  'EXPIRED',
  'CANCELLED',
  'NO_ADDRESS',
  'EMAIL_OFF',
  'EXPIRES_LATER',
  'OVER_BUDGET',
  'OTHER',
] as const;
export type RepairReason = (typeof repairReasons)[number];

const action = oneOf(actions, {
  description:
    'CANCEL: the gifts can no longer be claimed. RESEND: they are emailed once more. EXTEND: they can be claimed for longer.',
});

const expiresOn = (description: string) =>
  nullable<string>('string', { format: 'date', description, examples: ['2027-03-31'] });

export const BulkFilter = named(
  'BulkFilter',
  Type.Object(
    {
      ...giftFilters,
      ids: Type.Optional(
        Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
          minItems: 1,
          maxItems: maxPrinted,
          description: 'The gifts with these ids, without other filters.',
          examples: [[90210, 90211]],
        }),
      ),
    },
    {
      minProperties: 1,
      description:
        'Which gifts: the filters of the list of gifts, combined with AND; at least one. Or the ids of gifts.',
      examples: [{ requestId: '019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e5f' }],
    },
  ),
);
export type BulkFilter = Static<typeof BulkFilter>;

export const NewBulkAction = named(
  'NewBulkAction',
  Type.Object(
    {
      action,
      gifts: ref(BulkFilter, { description: 'Which gifts. Those that are issued later are left out.' }),
      expiresOn: Type.Optional(
        expiresOn(
          "For EXTEND, and required there: the last day on which the gifts can be claimed. It ends in the workspace's time zone. Null: no expiry date.",
        ),
      ),
    },
    {
      [keepsNull]: true,
      description: 'What to do with which gifts.',
      examples: [{ action: 'RESEND', gifts: { state: 'ISSUED', delivery: 'FAILED' } }],
    },
  ),
);
export type NewBulkAction = Static<typeof NewBulkAction>;

const BulkReason = named(
  'BulkReason',
  Type.Object(
    {
      reason: oneOf(repairReasons, {
        description:
          'CLAIMED, REDEEMED, EXPIRED, CANCELLED: the state of the gift forbids it. NO_ADDRESS: its recipient has no email address. EMAIL_OFF: the installation or the workspace sends no emails. EXPIRES_LATER: it can be claimed for longer already. OVER_BUDGET: its budget no longer has what it costs.',
      }),
      gifts: Type.Integer({ description: 'How many gifts were rejected for this reason.', examples: [12] }),
    },
    { description: 'Why gifts were left as they are.' },
  ),
);

export const BulkAction = named(
  'BulkAction',
  Type.Object(
    {
      id: Type.Integer({
        description: '1, 2, 3 … in the workspace. After a restore, numbers continue far ahead.',
        examples: [1],
      }),
      action,
      gifts: ref(BulkFilter, { description: 'Which gifts were asked for.' }),
      expiresOn: expiresOn('For EXTEND: the last day on which the gifts can be claimed; null: no expiry date.'),
      status: oneOf(['SEARCHING', 'RUNNING', 'COMPLETED'], {
        description: 'SEARCHING: the gifts are being found. RUNNING: they are being changed. COMPLETED: all are done.',
      }),
      total: Type.Integer({
        description: 'How many gifts were found so far; all, unless SEARCHING.',
        examples: [1988],
      }),
      done: Type.Integer({ description: 'How many of them are done.', examples: [1988] }),
      changed: Type.Integer({ description: 'How many were changed.', examples: [1976] }),
      unchanged: Type.Integer({ description: 'How many were so already.', examples: [0] }),
      rejected: Type.Integer({ description: 'How many were left as they are.', examples: [12] }),
      reasons: Type.Array(ref(BulkReason), { description: 'Why, the most frequent reason first.' }),
      by: ref(Actor, { description: 'Who asked for it.' }),
      createdAt: aMoment('When it was asked for.', '2026-11-02T14:03:27.512Z'),
      finishedAt: aMomentOrNull('When the last gift was done; null before.', '2026-11-02T14:03:41.007Z'),
    },
    { description: 'A change of many gifts: how far it is, and what came of it.' },
  ),
);
export type BulkAction = Static<typeof BulkAction>;

export const BulkActionPage = named(
  'BulkActionPage',
  Type.Object(
    { ...PageFields, bulkActions: Type.Array(ref(BulkAction), { description: 'The newest first.' }) },
    { description: 'A page of bulk actions.' },
  ),
);
export type BulkActionPage = Static<typeof BulkActionPage>;

const BulkGift = named(
  'BulkGift',
  Type.Object(
    {
      giftId: Type.Integer({ description: 'The id of the gift.', examples: [90210] }),
      outcome: nullable<(typeof bulkOutcomes)[number]>('string', {
        enum: [...bulkOutcomes, null],
        description: 'What came of it; null: it waits for its turn.',
        examples: ['REJECTED'],
      }),
      reason: nullable<RepairReason>('string', {
        enum: [...repairReasons, null],
        description: 'Why it was rejected.',
        examples: ['CLAIMED'],
      }),
    },
    { description: 'One gift of a bulk action.' },
  ),
);
export type BulkGift = Static<typeof BulkGift>;

export const BulkGiftPage = named(
  'BulkGiftPage',
  Type.Object(
    { ...PageFields, gifts: Type.Array(ref(BulkGift), { description: 'By id.' }) },
    { description: 'A page of the gifts of a bulk action.' },
  ),
);
export type BulkGiftPage = Static<typeof BulkGiftPage>;

export const BulkActionParams = Type.Object({
  id: anId('The id of the bulk action.'),
});

export const BulkActionQuery = strictQuery(PageQuery);
export type BulkActionQuery = Static<typeof BulkActionQuery>;

export const BulkGiftQuery = strictQuery({
  outcome: Type.Optional(oneOf(bulkOutcomes, { description: 'Only gifts with this outcome.' })),
  ...PageQuery,
});
export type BulkGiftQuery = Static<typeof BulkGiftQuery>;

export const bulkActionSchemas = [
  BulkFilter,
  NewBulkAction,
  BulkReason,
  BulkAction,
  BulkActionPage,
  BulkGift,
  BulkGiftPage,
];
