import { randomInt } from 'node:crypto';

/** 64 bits in two numbers. */
export interface Digest {
  high: number;
  low: number;
}

// They are secret, so a file cannot be made in which two people have the same digest.
const [highSeed, lowSeed] = [randomInt(2 ** 32), randomInt(2 ** 32)];

/** A digest of a text, of two 32-bit hashes like MurmurHash3. Node's own hashes take far longer for so short texts. */
export function digestOf(text: string): Digest {
  let high = highSeed | 0;
  let low = lowSeed | 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = (turned(Math.imul(high ^ code, 0xcc9e2d51), 15) + low) | 0;
    low = turned(Math.imul(low ^ code, 0x1b873593), 13) ^ high;
  }
  return { high: finished(high ^ text.length), low: finished(low) };
}

function turned(bits: number, by: number): number {
  return (bits << by) | (bits >>> (32 - by));
}

/** Lets each bit depend on all others. */
function finished(bits: number): number {
  const once = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}
