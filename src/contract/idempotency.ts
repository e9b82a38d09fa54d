import Type from 'typebox';
import { differences } from './differences.ts';
import { printable } from './schema.ts';

export const IdempotencyHeader = {
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: printable,
      description:
        'Makes a retry safe: the same key with the same body answers with the same record, with another body 422.',
      examples: ['5b1c9a52-9a3c-4f0e-a4de-2f6a1f0e9b11'],
    }),
  ),
};

/** What to say where a key came again: null where the body is the same, else a sentence that names the difference. */
export function mismatch(original: unknown, repeated: unknown): string | null {
  const differing = differences(original, repeated);
  if (differing.length === 0) return null;
  return `This Idempotency-Key was used with another body, which differs in ${differing.join(', ')}: send the same body or a new key.`;
}
