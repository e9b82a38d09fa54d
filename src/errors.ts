export type FailureKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'missing'
  | 'method'
  | 'unacceptable'
  | 'conflict'
  | 'precondition'
  | 'tooLarge'
  | 'mediaType'
  | 'mismatch'
  | 'tooMany'
  | 'unavailable'
  | 'setup';

/** The one error that carries a text for people: `message` is shown as it is, `cause` only ever reaches the log. */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly headers: Readonly<Record<string, string>>;
  /** What is wrong with the input, where that is what this says. */
  readonly faults: readonly Fault[];

  constructor(kind: FailureKind, message: string, options: FailureOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'Failure';
    this.kind = kind;
    this.headers = options.headers ?? {};
    this.faults = options.faults ?? [];
  }
}

interface FailureOptions {
  cause?: unknown;
  headers?: Record<string, string>;
  faults?: readonly Fault[];
}

/** One input at fault, by its path as the sender wrote it: `orderItems[2].recipient.email`. */
export interface Fault {
  path: string;
  problem: string;
}

export function invalid(faults: readonly Fault[]): Failure {
  return new Failure('invalid', faults.map(({ path, problem }) => `${path} ${problem}`).join('; '), { faults });
}

export function unavailable(cause?: unknown): Failure {
  return new Failure('unavailable', 'The service is busy or its database cannot be reached: try again shortly.', {
    cause,
    headers: { 'Retry-After': '1' },
  });
}
