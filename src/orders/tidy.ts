import { maxGifts, type OrderRequest } from '../contract/order.ts';
import { isObject } from './differences.ts';

/**
 * An order as it is checked and kept: known fields only, strings trimmed, null and blank optional fields undefined.
 * Wrong types stay as they are, for the check to name them.
 */
export function tidyOrder(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { orderItems, currency, language } = body;
  return {
    // One too many is enough to be refused; the rest of a flood need not be looked at.
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

function tidyRecipient(recipient: unknown): unknown {
  if (!isObject(recipient)) return recipient;
  const { firstName, lastName, email, employeeNumber } = recipient;
  return {
    firstName: isBlank(firstName) ? undefined : trimmed(firstName),
    lastName: isBlank(lastName) ? undefined : trimmed(lastName),
    email: isBlank(email) ? undefined : email,
    employeeNumber: isBlank(employeeNumber) ? undefined : trimmed(employeeNumber),
  };
}

function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}

function isBlank(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '');
}
