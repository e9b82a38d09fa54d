export type FailureKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'missing'
  | 'method'
  | 'unacceptable'
  | 'timeout'
  | 'tooLarge'
  | 'mediaType'
  | 'mismatch'
  | 'tooMany'
  | 'headers'
  | 'unavailable'
  | 'setup';

/** The one error that carries a text for people: `message` is shown as it is, `cause` only ever reaches the log. */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly headers: Readonly<Record<string, string>>;

  constructor(kind: FailureKind, message: string, options: { cause?: unknown; headers?: Record<string, string> } = {}) {
    super(message, { cause: options.cause });
    this.name = 'Failure';
    this.kind = kind;
    this.headers = options.headers ?? {};
  }
}

/** One input at fault, by its path as the sender wrote it: `orderItems[2].recipient.email`. */
export interface Fault {
  path: string;
  problem: string;
}

export function invalid(faults: readonly Fault[]): Failure {
  return new Failure('invalid', faults.map(({ path, problem }) => `${path} ${problem}`).join('; '));
}

export function unavailable(cause?: unknown): Failure {
  return new Failure('unavailable', 'The service is busy or its database cannot be reached: try again shortly.', {
    cause,
    headers: { 'Retry-After': '1' },
  });
}
