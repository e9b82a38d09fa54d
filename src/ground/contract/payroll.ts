import Type, { type Static } from 'typebox';
import { history } from './history.ts';
import { Amount } from './overview.ts';
import { PageFields, PageQuery } from './paging.ts';
import { named, nullable, ref, strictQuery } from './schema.ts';

export const PayrollExport = named(
  'PayrollExport',
  Type.Object(
    {
      number: Type.Integer({
        description: '1, 2, 3 … in the workspace. After a restore, numbers continue far ahead.',
        examples: [1],
      }),
      history,
      closedAt: Type.String({
        format: 'date-time',
        description: 'When it was closed.',
        examples: ['2026-11-02T14:03:27.512Z'],
      }),
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

export const PayrollQuery = strictQuery(PageQuery);
export type PayrollQuery = Static<typeof PayrollQuery>;

export const PayrollParams = Type.Object({
  number: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The number of the export.',
    examples: [1],
  }),
});

export const payrollSchemas = [PayrollExport, PayrollPage];
