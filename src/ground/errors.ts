export type FailureKind =
  | 'invalid'
  | 'unauthenticated'
  | 'overBudget'
  | 'forbidden'
  | 'missing'
  | 'gone'
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

/** The service's one error type. `message` is shown to people as it is, `cause` is only logged. */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly headers: Readonly<Record<string, string>>;
  /** The invalid inputs, if this is about inputs. */
  readonly faults: readonly Fault[];
  /** Why, as a code for this program. Responses do not have it. */
  readonly reason: string | null;
  /** What happened, without what to do, for messages to another person than the caller; null: only the message says it. */
  readonly problem: string | null;

  constructor(kind: FailureKind, message: string, options: FailureOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'Failure';
    this.kind = kind;
    this.headers = options.headers ?? {};
    this.faults = options.faults ?? [];
    this.reason = options.reason ?? null;
    this.problem = options.problem ?? null;
  }
}

interface FailureOptions {
  cause?: unknown;
  headers?: Record<string, string>;
  faults?: readonly Fault[];
  reason?: string;
  problem?: string;
}

/** One invalid input, by its path as the sender wrote it: `orderItems[2].recipient.email`. */
export interface Fault {
  path: string;
  problem: string;
}

export function invalid(faults: readonly Fault[]): Failure {
  return new Failure('invalid', faults.map(({ path, problem }) => `${path} ${problem}`).join('; '), { faults });
}

/** Whether the same may succeed in a moment: the service is busy, or its database is away. */
export function isUnavailable(error: unknown): error is Failure {
  return error instanceof Failure && error.kind === 'unavailable';
}

export function unavailable(cause?: unknown): Failure {
  return new Failure('unavailable', 'The service is busy or its database cannot be reached: try again shortly.', {
    cause,
    headers: { 'Retry-After': '1' },
  });
}

/** What is wrong with a file is the operator's mistake at the command line, and the caller's over HTTP. */
export function asCallersFault(error: unknown): unknown {
  return error instanceof Failure && error.kind === 'setup' ? new Failure('invalid', error.message) : error;
}
