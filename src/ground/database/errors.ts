import pg from 'pg';
import { Failure, unavailable } from '../errors.ts';

/** The driver's error as the rest of the program knows it: without rows that it quotes, and unavailable where it is about the server's condition. */
export function translate(error: unknown): unknown {
  // These fields quote rows, and errors are logged.
  if (error instanceof pg.DatabaseError)
    Object.assign(error, { detail: undefined, where: undefined, internalQuery: undefined });
  return isTransient(error) ? unavailable(error) : error;
}

/** SQLSTATE classes and codes that are about the server's condition, or about the role's permissions, not about the statement. */
const transientStates = /^(08|28|3D|53|57|58)|^(40001|40P01|55P03|55000|25P03|25006|42501)$/;
const transientSystemErrors =
  /^(ECONN(REFUSED|RESET|ABORTED)|E(PIPE|TIMEDOUT|NOENT|NOTFOUND|HOSTUNREACH|NETUNREACH|ACCES)|EAI_AGAIN)$/;
const driverComplaints = /timeout|Connection terminated|not queryable|Cannot use a pool after|pool is draining/i;

function isTransient(error: unknown): boolean {
  if (error instanceof Failure) return error.kind === 'unavailable';
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && error instanceof pg.DatabaseError)
    return transientStates.test(code);
  if (typeof code === 'string') return transientSystemErrors.test(code);
  if (error instanceof AggregateError) return error.errors.some(isTransient);
  return driverComplaints.test(error.message);
}

/** Transient, but possibly caused by the statement itself: a conflict, or a time-out. */
export function isConflict(error: unknown): boolean {
  return error instanceof Failure && /^(40001|40P01|57014|25P03)$/.test(stateOf(error.cause));
}

/** Another transaction has locked a row that the statement needs. The database itself works. */
export function isLocked(error: unknown): error is Failure {
  return error instanceof Failure && hasLockState(error.cause);
}

/** The same of an error as the driver gives it. */
export function hasLockState(error: unknown): boolean {
  return /^(55P03|40P01)$/.test(stateOf(error));
}

/** Caused by the data: values, checks of values, limits, exceptions raised on purpose. */
export function isOwnFault(error: unknown): boolean {
  return /^(22|23514|54|P0)/.test(stateOf(error));
}

/** A duplicate key, a missing row or a missing value: a defect of the program or the database, never of the data sent. */
export function isIntegrityViolation(error: unknown): boolean {
  return /^23/.test(stateOf(error)) && !isOwnFault(error);
}

/** Whether a statement failed because a row would break this constraint. */
export function violates(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.constraint === constraint;
}

function stateOf(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : '';
}
