import { Failure, type FailureKind } from '../../ground/errors.ts';

/** RFC 7644's scimType values. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'uniqueness';

/** A failure with a scimType. */
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
  return new ScimFailure('conflict', 'uniqueness', `Another user already has this ${attribute}${hint}.`);
}

export function mergeHint(workspaceId: number, from: number, into: number): string {
  return `: if they are one person, run "giftwire member merge id:${from} id:${into} --workspace ${workspaceId}"`;
}

/** An error body as RFC 7644 defines it. A request that could not be parsed is invalidSyntax. */
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
