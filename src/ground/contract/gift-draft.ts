import Type, { type Static } from 'typebox';
import { giftOccasions } from '../values/gift-occasion.ts';
import { longest } from '../values/text.ts';
import { currency, deliverAt, giftAmount, giftMessage, language } from './order.ts';
import { reasonId } from './reason.ts';
import { aMomentOrNull, examplePerson, keepsNull, named, nullable, oneOf, ref } from './schema.ts';

const name = (description: string, example: string) =>
  Type.Optional(
    nullable<string>('string', { maxLength: longest.name, format: 'text', description, examples: [example] }),
  );
const setting = (description: string, example: string) =>
  Type.Optional(nullable<string>('string', { maxLength: 300, format: 'text', description, examples: [example] }));

const Brand = named(
  'GiftBrand',
  Type.Object(
    {
      name: setting("The company's name.", 'Northwind Labs'),
      colour: setting('#RRGGBB. One on which no text can be read is refused.', '#8C2459'),
      replyTo: setting('Where questions go.', 'people@example.com'),
      sentence: setting("How a gift is used, in the company's own words.", 'Show the code at the canteen.'),
    },
    {
      description: "A look to try in place of the workspace's own. Fields that are left out are the workspace's.",
      [keepsNull]: true,
    },
  ),
);

export const GiftDraft = named(
  'GiftDraft',
  Type.Object(
    {
      message: giftMessage,
      amount: giftAmount,
      currency,
      language,
      deliverAt,
      reasonId,
      firstName: name("The recipient's first name.", examplePerson.firstName),
      lastName: name("The recipient's last name.", examplePerson.lastName),
      senderName: name('Whose name the recipient reads. Left out: the name of the caller.', 'Ada Okafor'),
      occasion: Type.Optional(
        oneOf([...giftOccasions], {
          description: 'The day of the recipient that it is for. Left out: the gift says thank you.',
          examples: ['BIRTHDAY'],
        }),
      ),
      brand: Type.Optional(ref(Brand, { description: "A look to try in place of the workspace's own." })),
    },
    {
      description: 'The draft of a gift.',
      examples: [
        { message: 'Thank you for the launch!', amount: 25, currency: 'CAD', firstName: examplePerson.firstName },
      ],
      'x-amounts-fit-currency': true,
    },
  ),
);
export type GiftDraft = Static<typeof GiftDraft>;

export const GiftPreview = named(
  'GiftPreview',
  Type.Object(
    {
      from: Type.String({ description: "The sender's name in the email.", examples: ['Payroll via Northwind Labs'] }),
      subject: Type.String({ description: 'The subject of the email.', examples: ['Payroll sent you a gift'] }),
      text: Type.String({ description: 'The email as plain text.' }),
      mail: Type.String({
        description: 'The email as an HTML document. It fetches nothing. Its links and its code open no gift.',
      }),
      page: Type.String({
        description: 'The page that the recipient opens, as an HTML document. Its style sheets are below /g.',
      }),
      claimBy: aMomentOrNull(
        'When the gift would expire if it were ordered now; null: never.',
        '2027-03-31T04:00:00.000Z',
      ),
    },
    { description: 'What the recipient of a gift would see.' },
  ),
);
export type GiftPreview = Static<typeof GiftPreview>;

export const GiftTest = named(
  'GiftTest',
  Type.Object(
    {
      delivery: oneOf(['SENT', 'KEPT', 'FAILED'], {
        description:
          'SENT: the mail server has taken it. KEPT: this installation has no mail server and sends nothing.',
      }),
      to: Type.String({ description: "The caller's own address.", examples: ['amara.okafor@example.com'] }),
      subject: Type.String({ description: 'The subject of the email.', examples: ['Test: Payroll sent you a gift'] }),
      answer: nullable<string>('string', {
        description: 'What the mail server answered, or why it could not be asked.',
        examples: ['250 2.0.0 Ok: queued as 4F2A1C90D3'],
      }),
    },
    { description: 'What has become of a test email.' },
  ),
);
export type GiftTest = Static<typeof GiftTest>;

export const giftDraftSchemas = [Brand, GiftDraft, GiftPreview, GiftTest];
