import { type GiftTokenKeys, giftTokenKeys } from '../../src/giving/gifts/token-keys.ts';
import { parseTokenKeys } from '../../src/ground/config/texts.ts';

/** Token keys from the text of GIFTWIRE_TOKEN_KEY. */
export function parseKeys(text: string): GiftTokenKeys {
  return giftTokenKeys(parseTokenKeys(text));
}
