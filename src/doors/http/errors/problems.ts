import type { FastifyRequest } from 'fastify';
import type { Failure } from '../../../ground/errors.ts';
import type { ErrorForm } from './error-answers.ts';
import { invalidFields, invalidFieldsHeader } from './invalid-fields.ts';

type ProblemType = 'invalid_field' | 'security_error' | 'server_error';

export function problemBody(status: number, message: string) {
  return { status, message, type: problemType(status) };
}

function problemType(status: number): ProblemType {
  if (status === 401 || status === 403 || status === 429) return 'security_error';
  return status >= 500 ? 'server_error' : 'invalid_field';
}

/** The error form of the API, and of every request that belongs to no area: exactly three fields. */
export const problemForm: ErrorForm = {
  contentType: 'application/json; charset=utf-8',
  write: (status, failure, request) => {
    const failures = [failure, ...otherFailures(failure, request)];
    const fields = invalidFields(failures.flatMap(({ faults }) => faults));
    return {
      body: JSON.stringify(problemBody(status, messageOf(failures, request))),
      headers: fields === null ? {} : { [invalidFieldsHeader]: fields },
    };
  },
};

const parts = ['params', 'body', 'querystring', 'headers'] as const;

/** Fastify stops checking at the first invalid part of a request. This is what is wrong with the others. */
function otherFailures(failure: Failure, request: FastifyRequest): Failure[] {
  if (failure.faults.length === 0) return [];
  const { validationContext } = failure as { validationContext?: (typeof parts)[number] };
  const unchecked = validationContext ? parts.slice(parts.indexOf(validationContext) + 1) : [];
  return unchecked.flatMap((part) => {
    // A body that is a file has a check for each of its media types: what is in it is checked when it is read.
    const check = request.getValidationFunction(part) as unknown;
    if (typeof check !== 'function') return [];
    const input = { params: request.params, body: request.body, querystring: request.query, headers: request.headers }[
      part
    ];
    return (check(input) as { error?: Failure }).error ?? [];
  });
}

function messageOf(failures: readonly Failure[], request: FastifyRequest): string {
  const message = failures.map((one) => one.message).join('; ');
  if (failures.every(({ faults }) => faults.length === 0)) return message;
  return request.method === 'POST' ? message : `The input could be invalid: ${message}`;
}
