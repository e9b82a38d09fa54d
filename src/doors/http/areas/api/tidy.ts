import type { Bounce } from '../../../../ground/contract/bounce.ts';
import type { BudgetChange, Grant, NewAllowance, NewBudget } from '../../../../ground/contract/budget.ts';
import type { GiftCorrection, GiftExtension } from '../../../../ground/contract/gift.ts';
import type { GiftDraft } from '../../../../ground/contract/gift-draft.ts';
import type { MailTest } from '../../../../ground/contract/mail.ts';
import type { MemberLeaving, MemberMerge } from '../../../../ground/contract/member-change.ts';
import { sentFields } from '../../../../ground/contract/member-fields.ts';
import { maxGifts, type OrderRequest } from '../../../../ground/contract/order.ts';
import type { NewPool, PoolChange } from '../../../../ground/contract/pool.ts';
import type { NewReason, ReasonChange } from '../../../../ground/contract/reason.ts';
import type { SettingsChange } from '../../../../ground/contract/settings.ts';
import type { Decision, ShoutoutRequest } from '../../../../ground/contract/shoutout.ts';
import type { SpendingRequestDecision } from '../../../../ground/contract/spending-request.ts';
import type { WebhookChange } from '../../../../ground/contract/webhook.ts';
import { isObject } from '../../../../ground/values/differences.ts';

// Each function names all fields of its object, which `satisfies` checks: a field that is left out here would never be stored.
type OrderItem = OrderRequest['orderItems'][number];
type Recipient = OrderItem['recipient'];
type MemberReference = NonNullable<ShoutoutRequest['sender']>;

/**
 * An order as it is checked and stored: known fields only, strings trimmed, null and blank optional fields undefined.
 * Values of a wrong type are left alone, so that the check names them.
 */
export function tidyOrder(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { orderItems, currency, language, deliverAt } = body;
  return {
    orderItems: Array.isArray(orderItems) ? firstItems(orderItems).map(tidyItem) : orderItems,
    currency,
    language: language ?? undefined,
    deliverAt: deliverAt ?? undefined,
  } satisfies Record<keyof OrderRequest, unknown>;
}

/** One item above the limit is enough to refuse the order, so further items are not read. */
function firstItems(items: unknown[]): unknown[] {
  return items.length > maxGifts ? items.slice(0, maxGifts + 1) : items;
}

function tidyItem(item: unknown): unknown {
  if (!isObject(item)) return item;
  const { message, amount, recipient, reasonId } = item;
  return {
    message: trimmed(message),
    amount,
    recipient: tidyRecipient(recipient),
    reasonId: reasonId ?? undefined,
  } satisfies Record<keyof OrderItem, unknown>;
}

/** A draft of a gift as it is checked: known fields only, strings trimmed, null and blank optional fields undefined. */
export function tidyDraft(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { message, amount, currency, language, deliverAt, reasonId, firstName, lastName, brand } = body;
  return {
    message: trimmed(message),
    amount,
    currency,
    language: language ?? undefined,
    deliverAt: deliverAt ?? undefined,
    reasonId: reasonId ?? undefined,
    firstName: isBlank(firstName) ? undefined : trimmed(firstName),
    lastName: isBlank(lastName) ? undefined : trimmed(lastName),
    brand: isObject(brand) ? tidyBrand(brand) : (brand ?? undefined),
  } satisfies Record<keyof GiftDraft, unknown>;
}

/** A blank setting is none. */
function tidyBrand({ name, colour, replyTo, sentence }: Record<string, unknown>): unknown {
  const tidied = (value: unknown) => (value !== undefined && isBlank(value) ? null : trimmed(value));
  return {
    name: tidied(name),
    colour: tidied(colour),
    replyTo: tidied(replyTo),
    sentence: tidied(sentence),
  } satisfies Record<keyof NonNullable<GiftDraft['brand']>, unknown>;
}

/** A shoutout as it is checked and stored: known fields only, strings trimmed, null and blank optional fields undefined. */
export function tidyShoutout(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { recipient, message, reasonId, isPrivate, sender } = body;
  return {
    recipient: tidyRecipient(recipient),
    message: trimmed(message),
    reasonId: reasonId ?? undefined,
    isPrivate: isPrivate ?? false,
    sender: isObject(sender) ? tidyKnownMember(sender) : (sender ?? undefined),
  } satisfies Record<keyof ShoutoutRequest, unknown>;
}

/** A missing body and a blank reason both mean: no reason. */
export function tidyDecision(body: unknown): unknown {
  if (body === undefined || body === null) return {};
  if (!isObject(body)) return body;
  const reason = trimmed(body.reason);
  return { reason: reason === '' ? undefined : (reason ?? undefined) } satisfies Record<keyof Decision, unknown>;
}

export function tidyReason(body: unknown): unknown {
  if (!isObject(body)) return body;
  return {
    description: trimmed(body.description ?? undefined),
    isDefault: body.isDefault ?? undefined,
  } satisfies Record<keyof NewReason | keyof ReasonChange, unknown>;
}

/** A webhook's fields as they are checked: known ones only, texts trimmed; a blank description is none. */
export function tidyWebhook(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { url, types, ordering, description } = body;
  const text = trimmed(description);
  return {
    url: trimmed(url),
    types: types ?? undefined,
    ordering: ordering ?? undefined,
    description: text === '' ? null : text,
  } satisfies Record<keyof WebhookChange, unknown>;
}

/** Settings as they are checked: known ones only, texts trimmed, a blank text is none. Null removes a setting. */
export function tidySettings(body: unknown): unknown {
  if (!isObject(body)) return body;
  const orNone = (value: unknown) => (value === undefined || !isBlank(value) ? trimmed(value) : null);
  return {
    name: trimmed(body.name ?? undefined),
    language: trimmed(body.language ?? undefined),
    timeZone: trimmed(body.timeZone ?? undefined),
    brandName: orNone(body.brandName),
    colour: orNone(body.colour),
    replyTo: orNone(body.replyTo),
    sentence: orNone(body.sentence),
    mailsGifts: body.mailsGifts ?? undefined,
    giftDays: body.giftDays,
    reminderDays: body.reminderDays ?? undefined,
    reminderDaysBeforeExpiry: body.reminderDaysBeforeExpiry,
    codeAbove: body.codeAbove,
    refusesUnknownEmployeeNumbers: body.refusesUnknownEmployeeNumbers ?? undefined,
    acceptsLeavers: body.acceptsLeavers ?? undefined,
    asksForApproval: body.asksForApproval ?? undefined,
    allowsSelfRecognition: body.allowsSelfRecognition ?? undefined,
  } satisfies Record<keyof SettingsChange, unknown>;
}

export function tidyMailTest(body: unknown): unknown {
  if (!isObject(body)) return body;
  return { to: trimmed(body.to ?? undefined) } satisfies Record<keyof MailTest, unknown>;
}

export function tidyCorrection(body: unknown): unknown {
  if (!isObject(body)) return body;
  return { email: body.email ?? undefined } satisfies Record<keyof GiftCorrection, unknown>;
}

/** A report that is no JSON stays as it is. */
export function tidyBounce(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { messageId, returnPath, status, reason } = body;
  return {
    messageId: isBlank(messageId) ? undefined : messageId,
    returnPath: isBlank(returnPath) ? undefined : returnPath,
    status,
    reason: isBlank(reason) ? undefined : reason,
  } satisfies Record<keyof Bounce, unknown>;
}

/** A person's fields as they are checked: known ones only, texts trimmed. A blank text clears its field, as null does. */
export function tidyMember(body: unknown): unknown {
  if (!isObject(body)) return body;
  const text = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? null : trimmed(value));
  const texts = [...Object.keys(sentFields), 'team'].map((name) => [name, text(body[name])]);
  return { ...Object.fromEntries(texts), managerId: body.managerId };
}

/** A missing body means: today. */
export function tidyLeaving(body: unknown): unknown {
  if (body === undefined || body === null) return {};
  if (!isObject(body)) return body;
  return { leftOn: body.leftOn ?? undefined } satisfies Record<keyof MemberLeaving, unknown>;
}

export function tidyMerge(body: unknown): unknown {
  if (!isObject(body)) return body;
  return { into: body.into } satisfies Record<keyof MemberMerge, unknown>;
}

export function tidyExtension(body: unknown): unknown {
  if (!isObject(body)) return body;
  return { expiresOn: body.expiresOn } satisfies Record<keyof GiftExtension, unknown>;
}

/** Strings trimmed, blank ones undefined. An e-mail address is stored as it was written. */
function tidyRecipient(recipient: unknown): unknown {
  if (!isObject(recipient)) return recipient;
  const { firstName, lastName } = recipient;
  const { email, employeeNumber } = tidyKnownMember(recipient);
  return {
    firstName: isBlank(firstName) ? undefined : trimmed(firstName),
    lastName: isBlank(lastName) ? undefined : trimmed(lastName),
    email,
    employeeNumber,
  } satisfies Record<keyof Recipient, unknown>;
}

function tidyKnownMember({ email, employeeNumber }: Record<string, unknown>) {
  return {
    email: isBlank(email) ? undefined : email,
    employeeNumber: isBlank(employeeNumber) ? undefined : trimmed(employeeNumber),
  } satisfies Record<keyof MemberReference, unknown>;
}

export function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}

export function isBlank(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '');
}

export function tidyNewBudget(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { currency, memberId, amount, note } = body;
  return {
    currency,
    memberId: memberId ?? undefined,
    amount: amount ?? undefined,
    note: isBlank(note) ? undefined : trimmed(note),
    ...(tidyBudgetChange(body) as Record<keyof BudgetChange, unknown>),
  } satisfies Record<keyof NewBudget, unknown>;
}

/** Null means something here: no limit, no allowance. */
export function tidyBudgetChange(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { giftLimit, allowance, lowPercents } = body;
  return {
    giftLimit,
    allowance: isObject(allowance)
      ? ({ amount: allowance.amount, every: allowance.every } satisfies Record<keyof NewAllowance, unknown>)
      : allowance,
    lowPercents: lowPercents ?? undefined,
  } satisfies Record<keyof BudgetChange, unknown>;
}

export function tidyGrant(body: unknown): unknown {
  if (!isObject(body)) return body;
  return {
    amount: body.amount,
    note: isBlank(body.note) ? undefined : trimmed(body.note),
  } satisfies Record<keyof Grant, unknown>;
}

export function tidyNewPool(body: unknown): unknown {
  if (!isObject(body)) return body;
  return {
    currency: body.currency,
    ...(tidyPoolChange(body) as Record<keyof PoolChange, unknown>),
  } satisfies Record<keyof NewPool, unknown>;
}

export function tidyPoolChange(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { name, lowAt } = body;
  return { name: trimmed(name) ?? undefined, lowAt: lowAt ?? undefined } satisfies Record<keyof PoolChange, unknown>;
}

export function tidySpendingRequestDecision(body: unknown): unknown {
  if (body === undefined || body === null) return {};
  if (!isObject(body)) return body;
  return { note: isBlank(body.note) ? undefined : trimmed(body.note) } satisfies Record<
    keyof SpendingRequestDecision,
    unknown
  >;
}
