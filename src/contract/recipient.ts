import Type from 'typebox';
import { nullable, words } from './schema.ts';

const optionalText = (maxLength: number, options: Record<string, unknown> = {}) =>
  Type.Optional(nullable<string>('string', { maxLength, format: 'text', ...options }));

const knownBy = {
  email: optionalText(254, {
    format: 'email',
    description: 'Takes precedence over employeeNumber. Addresses that differ only in case are one person.',
    examples: ['ada@example.com'],
  }),
  employeeNumber: optionalText(64, {
    description: 'Identifies the person when email is absent.',
    examples: ['10042'],
  }),
};
const oneOfBoth = {
  anyOf: [{ required: ['email'] }, { required: ['employeeNumber'] }],
  [words]: { anyOf: 'must have an email or an employeeNumber' },
};

export const Recipient = Type.Object(
  {
    firstName: optionalText(100, { examples: ['Ada'] }),
    lastName: optionalText(100, { examples: ['Lovelace'] }),
    ...knownBy,
  },
  {
    description: 'One person, known by email or employeeNumber. Somebody new is added to the directory.',
    ...oneOfBoth,
  },
);

export const KnownMember = Type.Object(knownBy, {
  description: 'A member of the workspace, known by email or employeeNumber.',
  ...oneOfBoth,
});
