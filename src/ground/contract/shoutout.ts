import Type, { type Static } from 'typebox';
import { Activity, moment, UserSummary } from './activity.ts';
import { IdempotencyHeader } from './idempotency.ts';
import { PageFields, PageQuery } from './paging.ts';
import { reasonId } from './reason.ts';
import { MemberReference, Recipient } from './recipient.ts';
import {
  aMoment,
  aMomentOrNull,
  anId,
  examplePerson,
  formerName,
  named,
  nullable,
  nullableRef,
  oneOf,
  ref,
  strictQuery,
} from './schema.ts';

export const ShoutoutRequest = named(
  'ShoutoutRequest',
  Type.Object(
    {
      recipient: ref(Recipient, { description: 'The person who is thanked.' }),
      message: Type.String({
        minLength: 1,
        maxLength: 1_000,
        format: 'text',
        description: 'The text of the shoutout. Its length counts after trimming.',
        examples: ['Thank you for the launch!'],
      }),
      reasonId,
      isPrivate: Type.Boolean({ default: false, description: 'Whether the reports flag it as private.' }),
      sender: Type.Optional(
        ref(MemberReference, {
          description:
            'The member who says thanks; the member that the token acts as when absent. Naming another member needs the scope recognition:delegate.',
        }),
      ),
    },
    {
      description:
        'A word of thanks without a gift. The sender is the member that the token acts as, unless the request names another.',
      examples: [{ recipient: { email: examplePerson.email }, message: 'Thank you for the launch!', isPrivate: false }],
      required: ['recipient', 'message'],
    },
  ),
);
export type ShoutoutRequest = Static<typeof ShoutoutRequest>;

export const Decision = named(
  'Decision',
  Type.Object(
    {
      reason: Type.Optional(
        nullable<string>('string', {
          maxLength: 1_000,
          format: 'text',
          description: 'Why. Its length counts after trimming. The shoutout shows it as decisionReason.',
          examples: ['Please name the project.'],
        }),
      ),
    },
    { description: 'The reason for a decision. The body may be left out.' },
  ),
);
export type Decision = Static<typeof Decision>;

export const ShoutoutHeaders = Type.Object(IdempotencyHeader);

export const ShoutoutParams = Type.Object({
  id: anId('The id of the shoutout.'),
});

const statuses = ['PENDING', 'APPROVED', 'DECLINED'] as const;

export const ShoutoutQuery = strictQuery({
  status: oneOf(statuses, {
    default: 'PENDING',
    description: 'Lists the shoutouts with this status: without it, those that wait for a decision.',
  }),
  ...PageQuery,
});
export type ShoutoutQuery = Static<typeof ShoutoutQuery>;

export const Shoutout = named(
  'Shoutout',
  Type.Object(
    {
      id: Type.Integer({ description: 'Identifies the shoutout in its workspace.', examples: [42] }),
      ...Activity.properties,
      status: oneOf(statuses, {
        description: 'PENDING: it waits for approval. Only an APPROVED one counts as recognition.',
      }),
      otherReceivers: Type.Integer({
        minimum: 0,
        description:
          'How many other people the same post thanks. They are approved or declined together, and a list of what waits has the first of them.',
        examples: [0],
      }),
      decidedBy: nullableRef(UserSummary, {
        description: 'Who approved or declined it; null while it waits, and when it needed no decision.',
      }),
      createdAt: aMoment('When it was given.'),
      createdOn: formerName(Activity.properties.createdOn, 'createdAt'),
      decidedAt: aMomentOrNull('When it was decided; null while it waits.'),
      decidedOn: formerName(nullable<string>('string', { ...moment }), 'decidedAt'),
      decisionReason: nullable<string>('string', {
        description: 'The reason that came with the decision; null when there was none.',
        examples: ['Please name the project.'],
      }),
    },
    { description: 'The activity record of a shoutout, with its id and who decided it, when and why.' },
  ),
);
export type Shoutout = Static<typeof Shoutout>;

export const ShoutoutPage = named(
  'ShoutoutPage',
  Type.Object(
    { ...PageFields, shoutouts: Type.Array(ref(Shoutout), { description: 'Newest first.' }) },
    { description: 'A page of shoutouts.' },
  ),
);
export type ShoutoutPage = Static<typeof ShoutoutPage>;

export const shoutoutSchemas = [ShoutoutRequest, Shoutout, ShoutoutPage, Decision];
