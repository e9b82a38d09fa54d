import Type, { type Static } from 'typebox';
import { history } from './history.ts';
import { Amount } from './overview.ts';
import { PageFields, PageQuery } from './paging.ts';
import { aMoment, anId, examplePerson, named, nullable, oneOf, ref, strictQuery } from './schema.ts';

export const PayrollExport = named(
  'PayrollExport',
  Type.Object(
    {
      number: Type.Integer({
        description: '1, 2, 3 … in the workspace. After a restore, numbers continue far ahead.',
        examples: [1],
      }),
      history,
      closedAt: aMoment('When it was closed.', '2026-11-02T14:03:27.512Z'),
      closedBy: nullable<string>('string', { description: 'Who closed it, if known.', examples: ['Payroll'] }),
      lines: Type.Integer({ description: 'How many lines it has, without the first one.', examples: [50] }),
      totals: Type.Array(ref(Amount), { description: 'What it pays in each currency, less what it takes back.' }),
      sha256: Type.String({
        description: 'Of the file, hexadecimal: it is the same whenever it is read.',
        examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
      }),
    },
    { description: 'A closed payroll export. Each redemption is in exactly one.' },
  ),
);
export type PayrollExport = Static<typeof PayrollExport>;

export const PayrollPage = named(
  'PayrollPage',
  Type.Object(
    {
      ...PageFields,
      waiting: Type.Integer({ description: 'How many lines the next export would have.', examples: [7] }),
      exports: Type.Array(ref(PayrollExport), { description: 'The newest first.' }),
    },
    { description: 'A page of exports.' },
  ),
);
export type PayrollPage = Static<typeof PayrollPage>;

const PayrollLine = named(
  'PayrollLine',
  Type.Object(
    {
      redemptionId: Type.Integer({ description: 'The id of the redemption.', examples: [312] }),
      giftId: Type.Integer({ description: 'The id of the gift.', examples: [90_210] }),
      employeeNumber: nullable<string>('string', { description: 'Null where it is not known.', examples: ['4417'] }),
      firstName: nullable<string>('string', { description: 'Of the recipient.', examples: [examplePerson.firstName] }),
      lastName: nullable<string>('string', { description: 'Of the recipient.', examples: [examplePerson.lastName] }),
      email: nullable<string>('string', { description: 'Of the recipient.', examples: [examplePerson.email] }),
      type: oneOf(['PAID', 'REVERSED'], {
        description: 'REVERSED: an earlier export has paid it, and this one takes it back.',
      }),
      date: Type.String({
        format: 'date',
        description: "The day of the redemption or of its reversal, in the workspace's time zone.",
        examples: ['2026-11-02'],
      }),
      amount: Type.Number({ description: 'Negative where it is taken back.', examples: [25] }),
      currency: Type.String({ description: 'ISO 4217 code.', examples: ['CAD'] }),
    },
    { description: 'A line that the next export would have.' },
  ),
);

export const PayrollPreview = named(
  'PayrollPreview',
  Type.Object(
    {
      number: Type.Integer({ description: 'The number that the next export would have.', examples: [12] }),
      waiting: Type.Integer({ description: 'How many lines it would have.', examples: [7] }),
      totals: Type.Array(ref(Amount), { description: 'What it would pay in each currency, less what it takes back.' }),
      withoutNumber: Type.Integer({ description: 'How many of its lines have no employee number.', examples: [0] }),
      reversed: Type.Integer({ description: 'How many of its lines take something back.', examples: [0] }),
      lines: Type.Array(ref(PayrollLine), { description: 'Its lines, by redemption.' }),
      next: nullable<number>('integer', {
        description: 'Send it as `after` to read on; null at the end.',
        examples: [null],
      }),
    },
    { description: 'What the next export would hold if it were closed now.' },
  ),
);
export type PayrollPreview = Static<typeof PayrollPreview>;

export const PayrollPreviewQuery = strictQuery({
  size: PageQuery.size,
  after: Type.Optional(anId('The `next` of the page before. From the first line when absent.')),
});
export type PayrollPreviewQuery = Static<typeof PayrollPreviewQuery>;

export const PayrollQuery = strictQuery(PageQuery);
export type PayrollQuery = Static<typeof PayrollQuery>;

export const PayrollParams = Type.Object({
  number: anId('The number of the export.', 1),
});

export const payrollSchemas = [PayrollLine, PayrollPreview, PayrollExport, PayrollPage];
