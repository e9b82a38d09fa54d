import { open } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { after, suite } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { shareBrowser } from './browser.ts';
import { cleanUpAll } from './cleanup.ts';

// One of the processes of test/support/run.ts. It takes a file that no other lane has taken and runs its tests, until no file is left.

const dayMs = 86_400_000;
const [claims = '', ...files] = process.argv.slice(2);
const closeBrowser = shareBrowser();
// Files that open a browser come first. One lane begins with them and the others at the end, so that mostly one lane needs a browser.
const ordered = (await claim('browser')) ? files : files.toReversed();
for (const file of ordered) if (await claim(`${files.indexOf(file)}`)) await runFile(file);
await closeBrowser();

/** Whether this lane is the first that asks for it. */
async function claim(name: string): Promise<boolean> {
  try {
    const claimed = await open(join(claims, name), 'wx');
    await claimed.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function runFile(file: string): Promise<void> {
  await passMidnight();
  await suite(relative(process.cwd(), file), async () => {
    after(cleanUpAll);
    await import(pathToFileURL(file).href);
  });
}

/** Many tests take today's date once, and would fail if the database had the next one by the time they compare. So no file begins just before. */
async function passMidnight(): Promise<void> {
  const leftMs = dayMs - (Date.now() % dayMs);
  if (leftMs < 3 * 60_000) await sleep(leftMs + 1_000);
}
