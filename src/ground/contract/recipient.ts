import Type from 'typebox';
import { longest } from '../values/text.ts';
import { examplePerson, named, nullable, words } from './schema.ts';

const optionalText = (maxLength: number, options: Record<string, unknown> = {}) =>
  Type.Optional(nullable<string>('string', { maxLength, format: 'text', ...options }));

const identification = {
  email: optionalText(longest.email, {
    format: 'email',
    description: 'Takes precedence over employeeNumber. Addresses that differ only in case are the same person.',
    examples: [examplePerson.email],
  }),
  employeeNumber: optionalText(longest.employeeNumber, {
    description: 'Identifies the person when email is absent.',
    examples: [examplePerson.employeeNumber],
  }),
};
const oneOfBoth = {
  anyOf: [{ required: ['email'] }, { required: ['employeeNumber'] }],
  [words]: { anyOf: 'must have an email or an employeeNumber' },
};

export const Recipient = named(
  'Recipient',
  Type.Object(
    {
      firstName: optionalText(longest.name, {
        description: 'Stored if the directory has no first name yet.',
        examples: [examplePerson.firstName],
      }),
      lastName: optionalText(longest.name, {
        description: 'Stored if the directory has no last name yet.',
        examples: [examplePerson.lastName],
      }),
      ...identification,
    },
    {
      description:
        'One person, identified by email or employeeNumber. Giftwire adds a person whom it does not know to the directory.',
      examples: [{ email: examplePerson.email }],
      ...oneOfBoth,
    },
  ),
);

export const MemberReference = named(
  'MemberReference',
  Type.Object(identification, {
    description: 'A member of the workspace, identified by email or employeeNumber.',
    examples: [{ email: examplePerson.email }],
    ...oneOfBoth,
  }),
);

export const recipientSchemas = [Recipient, MemberReference];
