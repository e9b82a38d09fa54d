/** The paths at which two JSON values differ: `currency`, `orderItems[3].amount`, `orderItems` for another length. */
export function differences(one: unknown, other: unknown, path = ''): string[] {
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length !== other.length) return [path];
    return one.flatMap((item, index) => differences(item, other[index], `${path}[${index}]`));
  }
  if (isObject(one) && isObject(other)) {
    // Sorted, because the database keeps the keys of an object in an order of its own.
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
    return keys.flatMap((key) => differences(one[key], other[key], path ? `${path}.${key}` : key));
  }
  return one === other ? [] : [path];
}

/** Whether a change gives a field another value. Fields that are absent or undefined stay as they are, also in the objects of fields. */
export function changesAnything(current: object, change: object): boolean {
  return Object.entries(change).some(([name, value]) => {
    const before = (current as Record<string, unknown>)[name];
    if (isObject(before) && isObject(value)) return changesAnything(before, value);
    return value !== undefined && differences(before, value).length > 0;
  });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface Mismatch {
  faults: { path: string; problem: string }[];
}

/** Compares the bodies of two requests with the same idempotency key: null if they are equal, else a sentence that names the difference. */
export function mismatch(original: unknown, repeated: unknown): [message: string, Mismatch] | null {
  const differing = differences(original, repeated);
  if (differing.length === 0) return null;
  const message = `This Idempotency-Key was used with another body, which differs in ${differing.join(', ')}: send the same body or a new key.`;
  const problem = 'differs from the first request with this Idempotency-Key';
  return [message, { faults: differing.map((path) => ({ path, problem })) }];
}
