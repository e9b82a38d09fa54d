import { Failure, unavailable } from '../../../../ground/errors.ts';

/** Leaves most of the exports' database connections to the other workspaces. */
const maxInWorkspace = 2;
/** Each file holds a socket, some text and up to 25 bytes for each member. */
const maxInProcess = 64;
const retryAfterSeconds = 10;

/** Counts the files that are being read. Returns a function to call when the file has ended. */
export function createExportLimit() {
  const underWay = new Map<number, number>();
  let total = 0;
  return (workspaceId: number): (() => void) => {
    const count = underWay.get(workspaceId) ?? 0;
    if (count >= maxInWorkspace) throw tooMany();
    if (total >= maxInProcess) throw unavailable();
    underWay.set(workspaceId, count + 1);
    total++;
    return () => {
      const left = (underWay.get(workspaceId) ?? 1) - 1;
      if (left > 0) underWay.set(workspaceId, left);
      else underWay.delete(workspaceId);
      total--;
    };
  };
}

function tooMany(): Failure {
  return new Failure(
    'tooMany',
    `${maxInWorkspace} files of this workspace are being read already: read one to its end, then try again.`,
    { headers: { 'Retry-After': String(retryAfterSeconds) } },
  );
}
