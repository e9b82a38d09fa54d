import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { isObject, mismatch } from '../../ground/values/differences.ts';

/** The hash by which a request is recognized whose body was erased: of the JSON as the database writes it, as an SQL expression. */
function bodyHash(body: string): string {
  return `encode(sha256(convert_to(${body}::text, 'UTF8')), 'hex')`;
}

/** The hash of a body of which parts were removed, the same if more is removed, as an SQL expression of type jsonb. */
export function erasedHash(body: string): string {
  return `coalesce(${body} -> 'erased', to_jsonb(${bodyHash(body)}))`;
}

/** What erasure makes of a body, as an SQL expression: its hash, the same if it is erased again. */
export function erasedBody(body: string): string {
  return `case when ${body} ? 'erased' then ${body} else jsonb_build_object('erased', ${bodyHash(body)}) end`;
}

/** How a repeated request differs from the original, as `mismatch` says it; null if it does not. Of an erased body, the hashes are compared. */
export async function mismatchWith(
  on: Queryable,
  original: unknown,
  repeated: unknown,
): Promise<ReturnType<typeof mismatch>> {
  if (!isObject(original) || typeof original.erased !== 'string') return mismatch(original, repeated);
  const { hash } = await queryOne<{ hash: string }>(on, `select ${bodyHash('$1::jsonb')} as hash`, [
    JSON.stringify(repeated),
  ]);
  if (hash === original.erased) return null;
  const { erased: _hash, ...rest } = original;
  return mismatch(rest, repeated);
}
