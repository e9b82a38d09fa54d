import { seesAllShoutouts } from '../../../giving/recognition/visibility.ts';
import type { Reader } from '../span.ts';
import { declined, privateShoutout, waitingPrivate } from './activities.ts';
import type { CompanyMemory } from './company.ts';

/**
 * The kinds of the activities as a reader may see them: a private shoutout that is neither theirs nor open to them counts as one that was declined,
 * which is in no list and no count. giving/recognition/visibility.ts has the rule.
 */
export function kindsSeenBy({ people, activities }: CompanyMemory, reader: Reader): Uint8Array {
  const { kind, sender, receiver, count } = activities;
  if (seesAllShoutouts(reader)) return kind;
  const { survivor } = people;
  const self = survivor[people.placeOf(reader.memberId)] as number;
  const seen = kind.slice(0, count);
  for (let nth = 0; nth < count; nth++) {
    if (seen[nth] !== privateShoutout && seen[nth] !== waitingPrivate) continue;
    const isOwn = survivor[sender[nth] as number] === self || survivor[receiver[nth] as number] === self;
    if (!isOwn) seen[nth] = declined;
  }
  return seen;
}
