import Type, { type Static } from 'typebox';
import { groupFields } from '../values/member.ts';
import {
  type KindSetting,
  kindSettings,
  kindsWith,
  spendingKinds,
  spendingOptionKinds,
} from '../values/spending-kinds.ts';
import { longest } from '../values/text.ts';
import { keepsNull, named, nullable, nullableId, oneOf, ref } from './schema.ts';

export const taxTypes = ['CASH', 'NEAR_CASH', 'NON_CASH'] as const;

/** What a column of a payroll export can hold. */
const payrollFields = [
  'employeeNumber',
  'firstName',
  'lastName',
  'email',
  ...groupFields.toSorted(),
  'amount',
  'currency',
  'date',
  'reason',
  'giftId',
  'redemptionId',
  'type',
] as const;

const PayrollColumn = named(
  'PayrollColumn',
  Type.Object(
    {
      header: Type.String({
        minLength: 1,
        maxLength: 100,
        format: 'text',
        description: 'What the first line says.',
        examples: ['Employee'],
      }),
      field: Type.Optional(
        oneOf(payrollFields, {
          description:
            'What the column holds. `amount` is negative where a redemption is taken back; `date` is the day of the redemption or of its reversal; `type` is PAID or REVERSED.',
        }),
      ),
      text: Type.Optional(
        Type.String({
          maxLength: 100,
          format: 'text',
          description: 'In place of `field`: the same text on each line, for instance an earnings code.',
          examples: ['GIFT'],
        }),
      ),
    },
    { description: 'A column of the payroll exports: with `field` or with `text`.' },
  ),
);
export type PayrollColumn = Static<typeof PayrollColumn>;

const amount = (description: string, example: number) =>
  Type.Unsafe<number | null>({
    type: ['number', 'null'],
    exclusiveMinimum: 0,
    maximum: 10_000,
    description,
    examples: [example],
  });

const of = (setting: KindSetting) => `Of ${kindsWith('setting', setting).join(' and ')}:`;

const kind = oneOf(spendingOptionKinds, {
  description: spendingOptionKinds.map((one) => `${one}: ${spendingKinds[one].meaning}.`).join(' '),
});
const name = Type.String({
  minLength: 1,
  maxLength: longest.name,
  format: 'text',
  description: 'What recipients read.',
  examples: ['With the next salary'],
});
const optional = {
  description: Type.String({ maxLength: 500, format: 'text', description: 'What else recipients read.' }),
  currencies: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string', format: 'currency' },
    minItems: 1,
    maxItems: 50,
    description: 'Only gifts in these currencies; null: in all.',
    examples: [['CAD']],
  }),
  minAmount: amount('The least that can be spent at once; null: no limit.', 5),
  maxAmount: amount('The most that can be spent at once; null: no limit.', 500),
  allowsParts: Type.Boolean({ description: 'Whether a part of a gift can be spent, or only all that is left.' }),
  isOn: Type.Boolean({ description: 'Whether recipients can choose it.' }),
  position: Type.Integer({
    minimum: 0,
    maximum: 1_000,
    description: 'Spending options are listed by position, then by id.',
    examples: [0],
  }),
  taxType: oneOf(taxTypes, {
    description: `What the tax log says about it. By default ${taxTypes.map((type) => `${kindsWith('taxType', type).join(' and ')}: ${type}`).join('; ')}.`,
  }),
  link: nullable<string>('string', {
    maxLength: 1_000,
    format: 'text',
    description: `${of('link')} the URL of the shop, https, without a user name or password. \`{code}\` in it is replaced by the code of the gift.`,
    examples: ['https://shop.example.com/?gift={code}'],
  }),
  poolId: nullableId(`${of('poolId')} the pool of codes.`, 3),
  columns: Type.Unsafe<PayrollColumn[] | null>({
    type: ['array', 'null'],
    items: ref(PayrollColumn),
    minItems: 1,
    maxItems: 40,
    description: `${of('columns')} the columns of its exports; null: the usual ones.`,
  }),
};

export const SpendingOption = named(
  'SpendingOption',
  Type.Object(
    { id: Type.String({ description: 'A word of the workspace.', examples: ['payroll'] }), kind, name, ...optional },
    { description: 'A spending option.' },
  ),
);
export type SpendingOption = Static<typeof SpendingOption>;

export const SpendingOptionSetting = named(
  'SpendingOptionSetting',
  Type.Object(
    { kind, name, ...Type.Partial(Type.Object(optional)).properties },
    {
      description: 'A spending option to offer. What is left out gets its default.',
      examples: [{ kind: spendingOptionKinds[0], name: 'With the next salary', isOn: true }],
      [keepsNull]: true,
    },
  ),
);
export type SpendingOptionSetting = Static<typeof SpendingOptionSetting>;

const SpendingKind = named(
  'SpendingKind',
  Type.Object(
    {
      kind,
      canAdd: Type.Boolean({ description: 'Whether a workspace can add options of this kind.' }),
      setting: Type.Unsafe<KindSetting | null>({
        type: ['string', 'null'],
        enum: [...kindSettings, null],
        description: 'The setting that only this kind has, if any.',
      }),
      defaults: Type.Object(optional, { description: 'What settings get that are left out.' }),
      usualColumns: Type.Unsafe<PayrollColumn[] | null>({
        type: ['array', 'null'],
        items: ref(PayrollColumn),
        description: 'The columns of its exports if `columns` is null; null: it has no exports.',
      }),
    },
    { description: 'A kind of spending option, with its defaults.' },
  ),
);
export type SpendingKind = Static<typeof SpendingKind>;

export const SpendingOptionList = named(
  'SpendingOptionList',
  Type.Object(
    {
      spendingOptions: Type.Array(ref(SpendingOption), { description: 'By position, then by id.' }),
      kinds: Type.Array(ref(SpendingKind), { description: 'Every kind that there is.' }),
    },
    { description: 'All spending options, and the kinds that they can have.' },
  ),
);
export type SpendingOptionList = Static<typeof SpendingOptionList>;

export const SpendingOptionParams = Type.Object({
  id: Type.String({
    pattern: '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$',
    description: 'A word for the spending option: lower-case letters, digits and hyphens. Payroll is `payroll`.',
    examples: ['payroll'],
  }),
});

export const spendingOptionSchemas = [
  PayrollColumn,
  SpendingOption,
  SpendingOptionSetting,
  SpendingKind,
  SpendingOptionList,
];
