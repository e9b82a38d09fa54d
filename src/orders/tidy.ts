import { isObject } from '../contract/differences.ts';
import { maxGifts, type OrderRequest } from '../contract/order.ts';
import { tidyRecipient, trimmed } from '../contract/recipient.ts';

/**
 * An order as it is checked and kept: known fields only, strings trimmed, null and blank optional fields undefined.
 * Wrong types stay as they are, for the check to name them.
 */
export function tidyOrder(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { orderItems, currency, language } = body;
  return {
    // One item over the limit is enough for the refusal, so further items are not read.
    orderItems: Array.isArray(orderItems) ? orderItems.slice(0, maxGifts + 1).map(tidyItem) : orderItems,
    currency,
    language: language ?? undefined,
  } satisfies Record<keyof OrderRequest, unknown>;
}

function tidyItem(item: unknown): unknown {
  if (!isObject(item)) return item;
  const { message, amount, recipient } = item;
  return { message: trimmed(message), amount, recipient: tidyRecipient(recipient) };
}
