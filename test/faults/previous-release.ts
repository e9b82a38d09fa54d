import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { checkOutPreviousRelease, NoHistory } from '../support/previous-release.ts';
import type { Scope } from '../support/scope.ts';
import type { Access } from './client.ts';
import { type Cluster, makeFolder, openEmbeddedCluster } from './cluster.ts';
import { Skipped } from './fault.ts';

const run = promisify(execFile);

/** The folder of the program of the release before. */
export async function openPreviousRelease(scope: Scope): Promise<string> {
  const folder = await makeFolder(scope);
  await checkOutPreviousRelease(folder).catch((error) => {
    throw error instanceof NoHistory ? new Skipped(error.message) : error;
  });
  return folder;
}

/** A PostgreSQL whose databases the program in that folder has made. */
export function openClusterOf(program: string, scope: Scope, folder: string): Promise<Cluster> {
  return openEmbeddedCluster(scope, folder, async (...server) => {
    const script = `
      import { prepareCluster } from './test/faults/cluster.ts';
      console.log(JSON.stringify((await prepareCluster(...${JSON.stringify(server)})).access));`;
    const args = ['--input-type=module', '--eval', script];
    const { stdout } = await run(process.execPath, args, { cwd: program, env: { PATH: process.env.PATH } });
    return JSON.parse(stdout) as Access;
  });
}
