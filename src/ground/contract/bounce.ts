import Type, { type Static } from 'typebox';
import { named, nullable, oneOf, words } from './schema.ts';

const name = (description: string, examples: string[]) =>
  Type.Optional(nullable<string>('string', { maxLength: 1_000, format: 'text', description, examples }));

export const Bounce = named(
  'Bounce',
  Type.Object(
    {
      messageId: name('The Message-ID of the email that came back.', [
        '<gift.g.1.90210.0.0.5d0c8a1f27e4b396@example.com>',
      ]),
      returnPath: name('The address that it came back to, which names the email too.', [
        'bounces+gift.g.1.90210.0.0.5d0c8a1f27e4b396@example.com',
      ]),
      status: Type.String({
        pattern: '^[45]\\.\\d{1,3}\\.\\d{1,3}$',
        description: 'The enhanced status code: 5.x.x if the email failed, 4.x.x if it is tried again.',
        examples: ['5.1.1'],
        [words]: { pattern: 'must be a status code of a failure, for example 5.1.1 or 4.2.2' },
      }),
      reason: Type.Optional(
        nullable<string>('string', {
          maxLength: 1_000,
          format: 'text',
          description: 'What the mail server said.',
          examples: ['550 No such user'],
        }),
      ),
    },
    {
      description: 'An email that came back, as a mail provider reports it.',
      examples: [
        { messageId: '<gift.g.1.90210.0.0.5d0c8a1f27e4b396@example.com>', status: '5.1.1', reason: '550 No such user' },
      ],
      anyOf: [{ required: ['messageId'] }, { required: ['returnPath'] }],
      [words]: { anyOf: 'must have a messageId or a returnPath' },
    },
  ),
);
export type Bounce = Static<typeof Bounce>;

export const BounceResult = named(
  'BounceResult',
  Type.Object(
    {
      giftId: Type.Integer({ description: 'The gift that the email was about.', examples: [90210] }),
      effect: oneOf(['FAILED', 'DEFERRED', 'KNOWN'], {
        description:
          'FAILED: its delivery has failed. DEFERRED: another mail server tries again, and the timeline has it. KNOWN: nothing new.',
      }),
    },
    { description: 'What a bounce has changed.' },
  ),
);
