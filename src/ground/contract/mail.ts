import Type, { type Static } from 'typebox';
import { longest } from '../values/text.ts';
import { aMoment, aMomentOrNull, examplePerson, named, nullable, oneOf, ref, strictQuery, trims } from './schema.ts';

export const MailSetup = named(
  'MailSetup',
  Type.Object(
    {
      delivery: oneOf(['SMTP', 'OUTBOX', 'OFF'], {
        description:
          'SMTP: emails go to a mail server. OUTBOX: they are kept for people who try things out. OFF: there are none.',
      }),
      server: nullable<string>('string', {
        description: 'Host and port of the mail server.',
        examples: ['smtp.example.com:587'],
      }),
      from: Type.String({ description: 'The address that emails come from.', examples: ['gifts@example.com'] }),
      pausedUntil: aMomentOrNull(
        'Until when nothing is sent, because the mail server failed; null: emails are sent.',
        null,
      ),
    },
    { description: 'How emails leave this installation.' },
  ),
);
export type MailSetup = Static<typeof MailSetup>;

export const MailTest = named(
  'MailTest',
  Type.Object(
    {
      to: Type.String({
        format: 'email',
        maxLength: longest.email,
        description: 'Where the test goes.',
        examples: [examplePerson.email],
        [trims]: true,
      }),
    },
    { description: 'An email that says only that email works.', examples: [{ to: examplePerson.email }] },
  ),
);
export type MailTest = Static<typeof MailTest>;

export const MailTestResult = named(
  'MailTestResult',
  Type.Object(
    {
      delivery: oneOf(['SENT', 'KEPT', 'FAILED'], {
        description:
          'SENT: the mail server has taken it. KEPT: this installation has no mail server and sends nothing.',
      }),
      to: Type.String({ description: 'Where it was sent.', examples: [examplePerson.email] }),
      answer: nullable<string>('string', {
        description: 'What the mail server answered, or why it could not be asked.',
        examples: ['250 2.0.0 Ok: queued as 4F2A1C90D3'],
      }),
    },
    { description: 'What has become of a test email.' },
  ),
);
export type MailTestResult = Static<typeof MailTestResult>;

const kept = {
  id: Type.String({ description: 'Identifies the email.', examples: ['90210'] }),
  giftId: Type.Integer({ description: 'The gift that it is about.', examples: [90_210] }),
  kind: oneOf(['GIFT', 'REMINDER', 'CODE', 'THANKS', 'DECISION'], { description: 'What it is for.' }),
  sentAt: aMoment('When it was sent.', '2026-11-02T14:03:27.512Z'),
  to: nullable<string>('string', { description: 'Who got it.', examples: [examplePerson.email] }),
  from: Type.String({
    description: 'Name and address of the sender.',
    examples: ['Payroll via Northwind Labs <gifts@example.com>'],
  }),
  subject: Type.String({ description: 'Its subject.', examples: ['Payroll sent you a gift'] }),
};

const OutboxMail = named('OutboxMail', Type.Object(kept, { description: 'An email that was sent.' }));

export const OutboxMailWithText = named(
  'OutboxMailWithText',
  Type.Object(
    {
      ...kept,
      text: Type.String({ description: 'The email as plain text.' }),
      html: Type.String({ description: 'The email as an HTML document with its pictures inside.' }),
    },
    { description: 'An email that was sent, and what it says.' },
  ),
);
export type OutboxMailWithText = Static<typeof OutboxMailWithText>;

export const OutboxPage = named(
  'OutboxPage',
  Type.Object(
    { mails: Type.Array(ref(OutboxMail), { description: 'The latest first.' }) },
    { description: 'A page of sent emails.' },
  ),
);
export type OutboxPage = Static<typeof OutboxPage>;

export const OutboxQuery = strictQuery({
  size: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'How many mails.' }),
  before: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'The id of the last email of the page before: only emails behind it. Or a date and a time with a zone: only emails that were sent before.',
      examples: ['2026-11-02T14:03:27.512Z'],
    }),
  ),
});
export type OutboxQuery = Static<typeof OutboxQuery>;

export const OutboxParams = Type.Object({ id: Type.String({ maxLength: 40, description: 'The id of the email.' }) });

export const mailSchemas = [MailSetup, MailTest, MailTestResult];
export const outboxSchemas = [OutboxMail, OutboxMailWithText, OutboxPage];
