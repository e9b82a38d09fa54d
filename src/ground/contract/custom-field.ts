import Type, { type Static } from 'typebox';
import {
  type CustomChange,
  type CustomValues,
  customKeyPattern,
  customKinds,
  longestCustomText,
  mostChoices,
  mostCustomFields,
} from '../values/custom-field.ts';
import { named, oneOf, ref, words } from './schema.ts';

const key = Type.String({
  pattern: customKeyPattern,
  description:
    'Its name in the API, in files, in SCIM and in placeholders: a letter, then up to 39 letters and digits. It never changes. Unique in a workspace, ignoring case.',
  examples: ['shirtSize'],
  [words]: { pattern: 'must be a letter, then up to 39 letters and digits, for example shirtSize' },
});
const label = Type.String({
  minLength: 1,
  maxLength: 60,
  format: 'text',
  description: 'What people see, and another header of its column in files. Unique in a workspace, ignoring case.',
  examples: ['Shirt size'],
});
const kind = oneOf(customKinds, {
  description:
    'What its values are: text of up to 200 characters, a number of up to 15 digits, a date, or one of its choices.',
  examples: ['CHOICE'],
});
const choices = Type.Array(Type.String({ minLength: 1, maxLength: longestCustomText, format: 'text' }), {
  maxItems: mostChoices,
  description: `The values of a choice, up to ${mostChoices}. Empty for the other kinds.`,
  examples: [['S', 'M', 'L']],
});

export const ListedCustomField = named(
  'CustomField',
  Type.Object({ key, label, kind, choices }, { description: 'A field of people that the workspace has defined.' }),
);

export const CustomFieldRecord = named(
  'CustomFieldRecord',
  Type.Object(
    {
      key,
      label,
      kind,
      choices,
      people: Type.Integer({
        description: 'How many people have a value, including people who have left.',
        examples: [42],
      }),
    },
    { description: 'A field of people, and how many have a value.' },
  ),
);
export type CustomFieldRecord = Static<typeof CustomFieldRecord>;

export const NewCustomField = named(
  'NewCustomField',
  Type.Object(
    { key, label, kind, choices: Type.Optional(choices) },
    {
      description: `A field to add. A workspace has up to ${mostCustomFields}.`,
      examples: [{ key: 'shirtSize', label: 'Shirt size', kind: 'CHOICE', choices: ['S', 'M', 'L'] }],
    },
  ),
);
export type NewCustomField = Static<typeof NewCustomField>;

export const CustomFieldChange = named(
  'CustomFieldChange',
  Type.Partial(Type.Object({ label, choices }), {
    description: 'What to change about a field; what is left out stays as it is. Key and kind never change.',
    examples: [{ label: 'T-shirt size' }],
  }),
);
export type CustomFieldChange = Static<typeof CustomFieldChange>;

export const CustomFieldList = named(
  'CustomFieldList',
  Type.Object(
    { customFields: Type.Array(ref(ListedCustomField), { description: 'In the sequence in which they were added.' }) },
    { description: 'All custom fields.' },
  ),
);

export const CustomFieldParams = Type.Object({
  key: Type.String({ maxLength: 100, description: 'The key of the field.', examples: ['shirtSize'] }),
});

/** The values of a person. */
export const shownCustom = Type.Unsafe<CustomValues>({
  type: 'object',
  additionalProperties: { type: ['string', 'number'] },
  description:
    'The values of custom fields by key; a field without a value is absent. Only the people team and the person may read them: all of it is absent for other callers.',
  examples: [{ shirtSize: 'M' }],
});

export const sentCustom = Type.Unsafe<CustomChange>({
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'null'] },
  description:
    'Values of custom fields by key. Those that are absent stay as they are; null removes the value. An unknown key gives 400.',
  examples: [{ shirtSize: 'M' }],
});

export const customFilter = Type.Optional(
  Type.String({
    format: 'text',
    maxLength: 2_000,
    description:
      'Values of custom fields, as a JSON object: `{"shirtSize":"M"}`. People who have all of them, ignoring case. Only callers with the scope directory:write may use it.',
  }),
);

export const customFieldSchemas = [
  ListedCustomField,
  CustomFieldRecord,
  NewCustomField,
  CustomFieldChange,
  CustomFieldList,
];
