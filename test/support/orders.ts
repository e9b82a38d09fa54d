/** A valid order, with a test's changes. */
export function anOrder(changes: Record<string, unknown> = {}) {
  return { currency: 'CAD', language: 'EN_CA', orderItems: [aGift()], ...changes };
}

export function aGift(changes: Record<string, unknown> = {}) {
  return { message: 'Thank you!', amount: 25, recipient: { email: 'ada@example.com' }, ...changes };
}
