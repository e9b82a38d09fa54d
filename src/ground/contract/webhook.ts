import Type, { type Static } from 'typebox';
import { eventTypeNames } from './event.ts';
import { PageQuery } from './paging.ts';
import { aMoment, anId, keepsNull, named, nullable, oneOf, ref, strictQuery } from './schema.ts';

const url = Type.String({
  minLength: 1,
  maxLength: 2_000,
  format: 'text',
  description:
    'Where events are posted to: http or https, without a user name. In production it has to be a public address, or in a network that the operator has opened.',
  examples: ['https://hooks.example.com/giftwire'],
});
const types = Type.Array(oneOf(eventTypeNames), {
  maxItems: 100,
  uniqueItems: true,
  description: 'Only these types of events; every type when empty.',
  examples: [['order.completed', 'order.failed']],
});
const ordering = oneOf(['none', 'strict'], {
  description:
    'none: events are posted as soon as possible, several at a time. strict: one after the other; one that fails holds up the next.',
});
const description = nullable<string>('string', {
  maxLength: 200,
  format: 'text',
  description: 'A note of your own.',
  examples: ['Payroll'],
});

export const NewWebhook = named(
  'NewWebhook',
  Type.Object(
    { url, types: Type.Optional(types), ordering: Type.Optional(ordering), description: Type.Optional(description) },
    {
      required: ['url'],
      description: 'An endpoint to add.',
      examples: [{ url: 'https://hooks.example.com/giftwire', types: ['order.completed', 'order.failed'] }],
      [keepsNull]: true,
    },
  ),
);
export type NewWebhook = Static<typeof NewWebhook>;

export const WebhookChange = named(
  'WebhookChange',
  Type.Partial(Type.Object({ url, types, ordering, description }), {
    description: 'What to change about a webhook. Fields that are left out stay as they are.',
    examples: [{ types: ['order.completed'] }],
    [keepsNull]: true,
  }),
);
export type WebhookChange = Static<typeof WebhookChange>;

export const WebhookPosts = named(
  'WebhookPosts',
  Type.Object(
    {
      startedAt: aMoment('When the half hour began.', '2026-11-02T14:00:00.000Z'),
      succeeded: Type.Integer({ description: 'Attempts that succeeded.', examples: [41] }),
      failed: Type.Integer({ description: 'Attempts that failed.', examples: [0] }),
    },
    { description: 'What came of the attempts of half an hour.' },
  ),
);

const fields = {
  id: Type.Integer({ description: 'The id of the webhook.', examples: [2] }),
  url,
  types,
  ordering,
  description,
  enabled: Type.Boolean({ description: 'False where it gets no events.' }),
  disabledReason: nullable<string>('string', {
    description:
      'GONE: the endpoint responded with 410. FAILING: every attempt failed for five days. BY_HAND: a user turned it off.',
    examples: [null],
  }),
  deliveredThrough: Type.Integer({
    description: 'Events up to this number were posted, or wait for another attempt.',
    examples: [42],
  }),
  waitingRetries: Type.Integer({ description: 'Events that wait for another attempt.', examples: [0] }),
  failingSince: nullable<string>('string', { description: 'Since when every attempt has failed.', examples: [null] }),
  posts: Type.Array(ref(WebhookPosts), {
    description: 'What came of the attempts in each half hour of the past 18 hours, the oldest first.',
  }),
  createdAt: aMoment('When it was added.', '2026-11-02T14:03:27.512Z'),
};

export const Webhook = named(
  'Webhook',
  Type.Object(fields, { description: 'An endpoint, and which events it has received.' }),
);
export type Webhook = Static<typeof Webhook>;

export const WebhookWithSecret = named(
  'WebhookWithSecret',
  Type.Object(
    {
      ...fields,
      secret: Type.String({
        description: 'Verifies the signatures. It is shown now, and again only after a rotation.',
        examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      }),
    },
    {
      description:
        'A webhook with the secret that verifies its signatures. It is shown now, and again only after a rotation.',
    },
  ),
);
export type WebhookWithSecret = Static<typeof WebhookWithSecret>;

export const WebhookList = named(
  'WebhookList',
  Type.Object(
    { webhooks: Type.Array(ref(Webhook), { description: 'By id.' }) },
    { description: 'All webhooks of the workspace.' },
  ),
);
export type WebhookList = Static<typeof WebhookList>;

export const WebhookAttempt = named(
  'WebhookAttempt',
  Type.Object(
    {
      eventId: Type.String({ description: 'The event that was posted.', examples: ['evt_1_42'] }),
      type: nullable<string>('string', {
        description: 'The type of the event; null if the event was removed since.',
        examples: ['gift.claimed'],
      }),
      attemptedAt: aMoment('When it was posted.', '2026-11-02T14:03:28.012Z'),
      succeeded: Type.Boolean({ description: 'Whether the response was a 2xx.' }),
      status: nullable<number>('integer', { description: 'The HTTP status; null without an answer.', examples: [204] }),
      durationMs: Type.Integer({ description: 'How long it took.', examples: [38] }),
      error: nullable<string>('string', { description: 'Why it failed.', examples: [null] }),
      answer: nullable<string>('string', { description: 'The first 1,000 characters of the answer.', examples: [''] }),
    },
    { description: 'One attempt to post an event.' },
  ),
);
export type WebhookAttempt = Static<typeof WebhookAttempt>;

export const WebhookAttemptList = named(
  'WebhookAttemptList',
  Type.Object(
    { attempts: Type.Array(ref(WebhookAttempt), { description: 'The latest first.' }) },
    { description: 'The latest attempts of a webhook.' },
  ),
);

export const WebhookTest = named(
  'WebhookTest',
  Type.Object(
    { type: Type.Optional(oneOf(eventTypeNames, { description: 'order.completed when absent.' })) },
    { description: 'A sample event to post.' },
  ),
);

export const WebhookReplay = named(
  'WebhookReplay',
  Type.Object(
    {
      eventId: Type.Optional(
        Type.String({ pattern: '^evt_\\d{1,15}_\\d{1,15}$', description: 'One event.', examples: ['evt_1_42'] }),
      ),
      from: Type.Optional(anId('Everything from this number.', 40)),
    },
    { description: 'Either one event, or everything from a number.', examples: [{ from: 1 }] },
  ),
);
export type WebhookReplay = Static<typeof WebhookReplay>;

export const WebhookParams = Type.Object({
  id: anId('The id of the webhook.'),
});

export const WebhookAttemptQuery = strictQuery({ size: PageQuery.size });
