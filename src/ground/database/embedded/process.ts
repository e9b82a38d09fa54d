import { readFileSync } from 'node:fs';

export function isAlive(pid: number): boolean {
  if (!isListed(pid)) return false;
  // Where process 1 does not collect orphans, as in many containers, a dead one stays listed as a zombie.
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

/** Whether the number is taken, be it by a process that has ended and was not collected. */
export function isListed(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
