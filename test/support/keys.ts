import { parseTokenKeys } from '../../src/config.ts';
import { type GiftTokenKeys, giftTokenKeys } from '../../src/gifts/token-keys.ts';

/** Keys from the text that GIFTWIRE_TOKEN_KEY would have. */
export function parseKeys(text: string): GiftTokenKeys {
  return giftTokenKeys(parseTokenKeys(text));
}
