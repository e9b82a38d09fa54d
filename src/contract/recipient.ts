import Type from 'typebox';
import { isObject } from './differences.ts';
import { nullable } from './schema.ts';

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
const anyOf = [{ required: ['email'] }, { required: ['employeeNumber'] }];

export const Recipient = Type.Object(
  {
    firstName: optionalText(100, { examples: ['Ada'] }),
    lastName: optionalText(100, { examples: ['Lovelace'] }),
    ...knownBy,
  },
  { description: 'One person, known by email or employeeNumber. Somebody new is added to the directory.', anyOf },
);

export const KnownMember = Type.Object(knownBy, {
  description: 'A member of the workspace, known by email or employeeNumber.',
  anyOf,
});

/** Strings trimmed, blank ones absent; an e-mail address stays as it was written. */
export function tidyRecipient(recipient: unknown): unknown {
  if (!isObject(recipient)) return recipient;
  const { firstName, lastName } = recipient;
  return {
    firstName: isBlank(firstName) ? undefined : trimmed(firstName),
    lastName: isBlank(lastName) ? undefined : trimmed(lastName),
    ...tidyKnownMember(recipient),
  };
}

export function tidyKnownMember({ email, employeeNumber }: Record<string, unknown>) {
  return {
    email: isBlank(email) ? undefined : email,
    employeeNumber: isBlank(employeeNumber) ? undefined : trimmed(employeeNumber),
  };
}

export function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}

function isBlank(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '');
}
