import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { resolve } from 'node:path';
import { after, before, suite } from 'node:test';
import { pathToFileURL } from 'node:url';
import { keepBrowser } from './browser.ts';
import { cleanUpNow } from './cleanup.ts';
import { eventually } from './eventually.ts';
import { openedSince, replaceEnvironment } from './leftovers.ts';
import { projectDir } from './process.ts';
import { finishFile, takeFile } from './queue.ts';
import { followPromises } from './quiet-runner.ts';
import { runsSlowFiles } from './whole-run.ts';

// One of the processes of `npm test` or of `npm run test:slow`. It runs test files of the queue one after another: each is a suite, begins when the one
// before it has closed everything, and loads only the modules that no file before it has.

/** Only something broken takes so long. */
const longestMs = 240_000;
const limit = { timeout: longestMs };

// They open on first use.
void [process.stdin, process.stdout, process.stderr];

/** Connections and servers take a moment to close. The tests of lanes, which leave something open, wait for less. */
const longestLeavingMs = Number(process.env.GIFTWIRE_TEST_LEAVING_MS ?? 10_000);

let begunTests = 0;
subscribe('tracing:node.test:start', (begun) => {
  const { name, type } = begun as { name: string; type: string };
  if (type === 'test' && name !== '<root>') begunTests++;
});

// A test that waits for nothing must meet its time limit. Without this, the process would end there.
const alive = setInterval(() => {}, longestMs);
const closeBrowser = runsSlowFiles ? await keepBrowser() : null;
for (let file = takeFile(); file !== null; file = takeFile()) {
  const path = file;
  followPromises(true);
  await suite(path, () => runFile(path));
  finishFile(path);
}
await closeBrowser?.();
clearInterval(alive);
// What a file has left open is reported by now, and must not keep the whole run waiting.
setTimeout(() => process.exit(), 3_000).unref();

/** Registers the tests of a file. Node runs them when this is over, then the hooks. */
async function runFile(file: string): Promise<void> {
  const environment = { ...process.env };
  const openBefore = process.getActiveResourcesInfo();
  begunTests = 0;
  before(() => followPromises(false));
  after(() => cleanUpNow().finally(() => replaceEnvironment(environment)), limit);
  await within(longestMs, import(pathToFileURL(resolve(projectDir, file)).href));
  // After the file's own hooks, because those close something too.
  after(async () => {
    assert.ok(begunTests > 0, 'the file has no test');
    await nothingLeftOpen(openBefore);
  }, limit);
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`the file was not loaded within ${ms / 1000} s`)), ms);
  await Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/** In a process of its own, the file would never end. */
async function nothingLeftOpen(before: string[]): Promise<void> {
  const isClosed = () => leftSince(before).length === 0;
  await eventually(async () => isClosed(), Boolean, { withinMs: longestLeavingMs }).catch(() => {
    throw new Error(`the file leaves something open: ${leftSince(before).join(', ')}`);
  });
}

/** Not sockets: an answer that nobody has read keeps its socket until it is collected. */
function leftSince(before: string[]): string[] {
  return openedSince(before).filter((kind) => kind !== 'TCPSocketWrap');
}
