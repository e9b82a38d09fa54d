import type { FastifyRequest } from 'fastify';
import type { Claimant } from '../../../../giving/gifts/own/standing.ts';
import { Failure } from '../../../../ground/errors.ts';

/** The person whose own gifts a request is about: the member that the caller acts as. */
export function recipientOf({ caller }: FastifyRequest): Claimant {
  const { workspaceId, memberId, provesEmail } = caller.workspace;
  return { workspaceId, memberId, provesEmail };
}

/** Who acts for the recipient: a token. Absent: the recipient. */
export function actingFor({ grant, actor }: FastifyRequest) {
  return grant.token === null ? {} : { by: actor };
}

/** Gift codes and gift cards are for the recipient alone, and not for a program that acts for them. */
export function refuseTokens({ grant }: FastifyRequest): void {
  if (grant.token !== null)
    throw new Failure('forbidden', 'Only people who are signed in can read codes: a token cannot.');
}
