import type { MyChange } from '../../../../ground/contract/me.ts';
import type { NewToken } from '../../../../ground/contract/token.ts';
import type { NewUser, UserChange } from '../../../../ground/contract/user.ts';
import { isObject } from '../../../../ground/values/differences.ts';
import { isBlank, trimmed } from './tidy.ts';

/** Known fields alone, names trimmed, blank members left out. */
export function tidyUser(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { email, name, role, member } = body;
  return {
    email: trimmed(email),
    name: trimmed(name),
    role,
    member: isBlank(member) ? undefined : trimmed(member),
  } satisfies Record<keyof NewUser, unknown>;
}

export function tidyUserChange(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { role, member } = body;
  return { role, member: isBlank(member) ? undefined : trimmed(member) } satisfies Record<keyof UserChange, unknown>;
}

export function tidyToken(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { name, scopes, member, expiresInDays, rateLimitPerMinute } = body;
  return {
    name: trimmed(name),
    scopes: scopes ?? undefined,
    member: isBlank(member) ? undefined : trimmed(member),
    expiresInDays: expiresInDays ?? undefined,
    rateLimitPerMinute: rateLimitPerMinute ?? undefined,
  } satisfies Record<keyof NewToken, unknown>;
}

export function tidyMe(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { name, language } = body;
  return { name: trimmed(name), language } satisfies Record<keyof MyChange, unknown>;
}
