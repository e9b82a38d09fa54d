import { execFileSync, spawnSync } from 'node:child_process';

/** Sends a signal to a process that may have gone meanwhile. */
export function signal(pid: number, name: NodeJS.Signals): void {
  // Zero and negative numbers mean process groups.
  if (!(pid > 1)) throw new Error(`${pid} is no process to send a signal to`);
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** A process and all its descendants, itself first. */
export function familyOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  const family = [pid];
  for (const parent of family) family.push(...pairs.filter(([, ppid]) => ppid === parent).map(([child]) => child));
  return family;
}

/** Whether this machine has a program. */
export function isInstalled(command: string): boolean {
  try {
    execFileSync('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${command}`]);
    return true;
  } catch {
    return false;
  }
}
