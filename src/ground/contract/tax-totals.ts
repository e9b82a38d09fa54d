import Type, { type Static } from 'typebox';
import { PageFields, PageQuery } from './paging.ts';
import { named, nullable, oneOf, ref, strictQuery } from './schema.ts';
import { TaxLogQuery, taxPerson } from './tax-log.ts';

const amount = (description: string, example: number) => Type.Number({ description, examples: [example] });
const currency = Type.String({ description: 'ISO 4217 code.', examples: ['CAD'] });
const limit = Type.Unsafe<number | null>({
  type: ['number', 'null'],
  description: 'The taxLimits of the settings for this currency; null: no limit.',
  examples: [500],
});

const byType = {
  gifts: Type.Integer({ description: 'How many gifts it is about.', examples: [7] }),
  cash: amount('Spent as CASH: with the salary.', 100),
  nearCash: amount('Spent as NEAR_CASH: gift cards.', 325),
  nonCash: amount('Spent as NON_CASH: goods and donations.', 0),
  unspent: amount('What is not spent yet.', 200),
  total: amount('The sum of these four.', 625),
  limit,
};

const TaxPerson = named(
  'TaxPerson',
  Type.Object(
    {
      ...taxPerson,
      department: nullable<string>('string', { description: 'As in the directory.', examples: ['Operations'] }),
      currency,
      ...byType,
      standing: nullable<'OVER' | 'NEAR'>('string', {
        enum: ['OVER', 'NEAR', null],
        description: 'OVER: more than the limit. NEAR: 80% of it or more. Null: less, or no limit.',
        examples: ['OVER'],
      }),
    },
    { description: 'What one person got in a year in one currency.' },
  ),
);

const TaxSum = named(
  'TaxSum',
  Type.Object(
    {
      currency,
      people: Type.Integer({ description: 'How many people got something.', examples: [918] }),
      ...byType,
      over: Type.Integer({ description: 'How many people got more than the limit.', examples: [4] }),
      near: Type.Integer({ description: 'How many people got 80% of the limit or more.', examples: [11] }),
    },
    { description: 'What all people got in a year in one currency.' },
  ),
);

export const TaxTotalsPage = named(
  'TaxTotalsPage',
  Type.Object(
    {
      ...PageFields,
      sums: Type.Array(ref(TaxSum), { description: 'The whole year by currency, without the filters of the page.' }),
      people: Type.Array(ref(TaxPerson), {
        description: 'By currency, the largest sum first. A person has a line for each currency.',
      }),
    },
    { description: 'What each person got in a year.' },
  ),
);
export type TaxTotalsPage = Static<typeof TaxTotalsPage>;

export const TaxTotalsQuery = Type.Object(
  {
    year: TaxLogQuery.properties.year,
    ...strictQuery({
      show: Type.Optional(
        oneOf(['OVER', 'NEAR'], { description: 'Only people who are over a limit of the workspace, or near it.' }),
      ),
      search: Type.Optional(
        Type.String({
          format: 'text',
          maxLength: 200,
          description: "Words. Each must occur in the person's name, email address or employee number, ignoring case.",
        }),
      ),
      ...PageQuery,
    }).properties,
  },
  { required: ['year'], additionalProperties: false },
);
export type TaxTotalsQuery = Static<typeof TaxTotalsQuery>;

export const taxTotalSchemas = [TaxPerson, TaxSum, TaxTotalsPage];
