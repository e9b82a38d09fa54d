import Type, { type Static } from 'typebox';
import { CsvQuery, PageQuery } from './paging.ts';
import { anId, examplePerson, named, nullable, oneOf, ref, strictQuery } from './schema.ts';
import { taxTypes } from './spending-option.ts';

/** Whose gifts they are. */
export const taxPerson = {
  memberId: Type.Integer({ description: 'The member id.', examples: [7] }),
  employeeNumber: nullable<string>('string', {
    description: "The company's own number for the person.",
    examples: [examplePerson.employeeNumber],
  }),
  firstName: Type.String({ description: 'Empty where it is not known.', examples: [examplePerson.firstName] }),
  lastName: Type.String({ description: 'Empty where it is not known.', examples: [examplePerson.lastName] }),
};

const TaxLine = named(
  'TaxLine',
  Type.Object(
    {
      ...taxPerson,
      date: Type.String({
        format: 'date',
        description: "The day on which the gift was ordered, in the workspace's time zone.",
        examples: ['2026-11-02'],
      }),
      reason: Type.String({ description: 'What the gift is for.', examples: ['Thank you'] }),
      type: oneOf([...taxTypes, 'UNSPENT'], {
        description: 'Follows from the spending option. UNSPENT: what is left of the gift.',
      }),
      spendingOptionName: nullable<string>('string', {
        description: 'What the spending option was called.',
        examples: ['With the next salary'],
      }),
      retailer: nullable<string>('string', { description: 'Where it was spent, if known.', examples: [null] }),
      amount: Type.Number({ description: 'How much the line is about.', examples: [25] }),
      currency: Type.String({ description: 'ISO 4217 code.', examples: ['CAD'] }),
      spentOn: nullable<string>('string', {
        format: 'date',
        description: 'The day on which it was spent.',
        examples: ['2026-11-05'],
      }),
      giftId: Type.Integer({ description: 'The id of the gift.', examples: [90210] }),
      redemptionId: nullable<number>('integer', { description: 'The id of the redemption.', examples: [312] }),
    },
    { description: 'A gift, or a part of it that was spent with one spending option.' },
  ),
);
export type TaxLine = Static<typeof TaxLine>;

export const TaxLogPage = named(
  'TaxLogPage',
  Type.Object(
    {
      lines: Type.Array(ref(TaxLine), { description: 'By member, then by time.' }),
      next: nullable<string>('string', {
        description: 'Send it as `after` to read on; null at the end.',
        examples: [null],
      }),
    },
    { description: 'A page of the tax log, and where to continue.' },
  ),
);
export type TaxLogPage = Static<typeof TaxLogPage>;

/** Left out, a year of the clock would be a guess: who asks in January means the year before. */
export const TaxLogQuery = Type.Object(
  {
    year: Type.Integer({
      minimum: 2000,
      maximum: 2999,
      description: "The year in which gifts were ordered, in the workspace's time zone.",
      examples: [2026],
    }),
    ...strictQuery({
      member: Type.Optional(anId('Only gifts to the member with this id.')),
      size: PageQuery.size,
      after: Type.Optional(
        Type.String({
          pattern: '^\\d{1,15}\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.\\d{1,9}\\.\\d{1,15}$',
          description: 'The `next` of the page before. From the first line when absent.',
        }),
      ),
      ...CsvQuery,
    }).properties,
  },
  { required: ['year'], additionalProperties: false },
);
export type TaxLogQuery = Static<typeof TaxLogQuery>;

export const taxLogSchemas = [TaxLine, TaxLogPage];
