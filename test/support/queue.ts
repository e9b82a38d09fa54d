import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folderVariable = 'GIFTWIRE_TEST_QUEUE';

/** Writes down the test files that share processes. Each is an empty file, which a process takes by renaming it. */
export function fillQueue(files: readonly string[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'giftwire-queue-'));
  for (const state of ['waiting', 'begun']) mkdirSync(join(folder, state));
  for (const file of files) writeFileSync(join(folder, 'waiting', encodeURIComponent(file)), '');
  process.env[folderVariable] = folder;
}

/** Tests of mails and events wait most of the time. If they came last, the processor would have nothing else to do then. */
const waits = /^test\/(delivery|events)\//;

let taken = 0;

/**
 * The next test file for this process, or null. No two processes get the same one. Each takes from both ends of the list in
 * turn: neighbours are alike, and those that wait most of the time should run beside those that keep the processor busy.
 */
export function takeFile(): string | null {
  const folder = queueFolder();
  const files = readdirSync(join(folder, 'waiting')).map(decodeURIComponent).sort();
  const list = [...files.filter((file) => waits.test(file)), ...files.filter((file) => !waits.test(file))];
  for (const file of taken++ % 2 === 0 ? list.toReversed() : list)
    try {
      const name = encodeURIComponent(file);
      renameSync(join(folder, 'waiting', name), join(folder, 'begun', name));
      return file;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  return null;
}

export function finishFile(file: string): void {
  rmSync(join(queueFolder(), 'begun', encodeURIComponent(file)));
}

/** Fails the run where a test file did not come to its end, because its process has. Files that no process took come last. */
export function closeQueue(): void {
  const folder = queueFolder();
  const left = ['begun', 'waiting'].flatMap((state) => readdirSync(join(folder, state)).sort());
  rmSync(folder, { recursive: true });
  if (left.length === 0) return;
  process.exitCode = 1;
  console.error(['These test files did not run to their end:', ...left.map(decodeURIComponent)].join('\n  '));
}

function queueFolder(): string {
  const folder = process.env[folderVariable];
  if (!folder) throw new Error('run the tests with "npm test": it writes down which files there are');
  return folder;
}
