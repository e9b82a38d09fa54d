/** A field that the service has refused. */
export interface FieldAtFault {
  /** Where it is, as `orderItems[2].recipient.email`. */
  path: string;
  /** What is wrong with it, as `must be an email address`. */
  problem: string;
}

const beforeFields = /^The input could be invalid: /;
/** A path and what is wrong with it. Ordinary sentences begin with a capital and a space, or go on in other words. */
const field = /^((?:[a-z]|[A-Z]\w*-)[\w-]*(?:\[\d+\]|\.[\w-]+)*) ((?:must|is|has|cannot) .+)$/s;
const differing = / which differs in (.+): send /;

/** Reads the fields out of a message: the service's error answers have no other place for them. */
export function fieldsAtFault(status: number | null, message: string): FieldAtFault[] {
  if (status === 422) return differingFields(message);
  if (status !== 400) return [];
  const found: FieldAtFault[] = [];
  for (const part of message.replace(beforeFields, '').split('; ')) {
    const [, path, problem] = field.exec(part) ?? [];
    const before = found.at(-1);
    if (path !== undefined && problem !== undefined) found.push({ path, problem });
    // What follows a semicolon inside of a sentence belongs to that sentence.
    else if (before) before.problem += `; ${part}`;
  }
  return found;
}

function differingFields(message: string): FieldAtFault[] {
  const paths = differing.exec(message)?.[1]?.split(', ') ?? [];
  return paths.map((path) => ({ path, problem: 'differs from the first request with this Idempotency-Key' }));
}
