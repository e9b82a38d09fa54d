import { Failure, type FailureKind } from '../errors.ts';

/** RFC 7644's names for what can be wrong with a request. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'uniqueness';

/** A failure to which SCIM has a name of its own. */
export class ScimFailure extends Failure {
  readonly scimType: ScimType;

  constructor(kind: FailureKind, scimType: ScimType, message: string, cause?: unknown) {
    super(kind, message, { cause });
    this.scimType = scimType;
  }
}

export function invalidValue(attribute: string, problem: string): ScimFailure {
  return new ScimFailure('invalid', 'invalidValue', `${attribute} ${problem}.`);
}

export function taken(attribute: string, hint = ''): ScimFailure {
  return new ScimFailure('conflict', 'uniqueness', `Somebody else has this ${attribute} already${hint}.`);
}

export function mergeHint(workspaceId: number, from: number, into: number): string {
  return `: if they are one person, run "giftwire member merge id:${from} id:${into} --workspace ${workspaceId}"`;
}

/** An error as SCIM writes one. What was not read as a request at all is a matter of syntax. */
export function scimError(status: number, detail: string, failure: Failure | null) {
  const scimType = failure instanceof ScimFailure ? failure.scimType : status === 400 ? plainType(failure) : undefined;
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType !== undefined && { scimType }),
    detail,
  };
}

function plainType(failure: Failure | null): ScimType {
  return failure && failure.faults.length > 0 ? 'invalidValue' : 'invalidSyntax';
}
