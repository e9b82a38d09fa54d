import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { accessSync, constants, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import type axe from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import { cleanUp } from './cleanup.ts';

/** The path of a Chromium, where none of the usual names leads to it. */
const setting = 'GIFTWIRE_TEST_BROWSER';
/** CI sets it, so that no test is left out there. */
const requirement = 'GIFTWIRE_REQUIRE_BROWSER';

// The shell has no window and does half the work of the others for the same pages.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * What a browser should not spend time on. Playwright's own list comes first, because the browser obeys only the last list
 * that it is given. Then the address bar's popups, which every new profile would load as pages, and processes kept in reserve.
 */
const unwanted = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'LensOverlay'],
  ...['HttpsFirstBalancedModeAutoEnable', 'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'PreconnectToSearch'],
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'SpareRendererForSitePerProcess'],
];

// A browser asks its maker for updates and much else, which these tests neither need nor may reach. Pages live for
// seconds, in which optimized code does not pay for its compilation. The pages of a profile share one process, which has
// compiled the scripts of the page before.
const quietly = [
  '--disable-gpu',
  '--in-process-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--renderer-process-limit=1',
  '--js-flags=--no-opt --no-maglev',
  `--disable-features=${unwanted}`,
];

/** The path of a Chromium of this machine; null where there is none. */
export const browserPath = findBrowser();

/** The options of a test that needs a browser: it is skipped where there is none, and says how to have one. */
export const needsBrowser = {
  skip: browserPath === null && `there is no browser: install Chromium, or set ${setting} to the path of one`,
};

function findBrowser(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  const given = process.env[setting];
  const path = (given ? [given] : paths).find(isExecutable) ?? null;
  if (path === null && (given || process.env[requirement]))
    throw new Error(`no browser was found${given ? ` at ${given}` : ''}, and ${given ? setting : requirement} is set`);
  return path;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Long, because only something broken takes so long. A busy machine does not. */
const longestWaitMs = 90_000;

let started: Promise<Browser> | null = null;

/** Starts the browser that all test files of this process use, where there is one. Returns how to close it. */
export async function keepBrowser(): Promise<() => Promise<void>> {
  if (browserPath === null) return async () => {};
  started = launch();
  const browser = await started;
  return () => browser.close();
}

/** A browser for the tests of a file, unless one was started for several files. */
function startBrowser(): Promise<Browser> {
  if (started) return started;
  started = launch();
  cleanUp(async () => (await started)?.close());
  return started;
}

function launch(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: browserPath as string,
    args: [...quietly, ...(isRoot ? ['--no-sandbox'] : [])],
  });
}

/** A page in a browser profile of its own. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await (await startBrowser()).newContext(options);
  cleanUp(() => context.close());
  context.setDefaultTimeout(longestWaitMs);
  return context.newPage();
}

/** A browser profile that knows the scripts of a service. The tests of a file use it one after another. */
interface Profile {
  kind: string;
  home: string;
  context: BrowserContext;
  /** The next visitor's page, once the visitor before has left. */
  next: Promise<Page> | null;
}

const profiles = new Set<Profile>();

// When a test ends, its visitors leave.
subscribe('tracing:node.test:end', (ended) => {
  if ((ended as { type: string }).type !== 'test') return;
  for (const profile of profiles) if (profile.next === null) profile.next = emptied(profile);
});

/** Closes the pages of a visitor and forgets what they have stored. A new page comes first, because it keeps the process. */
async function emptied({ context, home }: Profile): Promise<Page> {
  const used = context.pages();
  const next = await context.newPage();
  for (const page of used) await page.close();
  await context.clearCookies();
  const tools = await context.newCDPSession(next);
  await tools.send('Storage.clearDataForOrigin', { origin: new URL(home).origin, storageTypes: 'all' });
  await tools.detach();
  return next;
}

/** The page of a profile that nobody uses now. It has neither cookies nor anything else of a visitor before. */
async function openEmptyPage(home: string, { viewport, ...options }: BrowserContextOptions): Promise<Page> {
  const kind = JSON.stringify([home, options]);
  let profile = [...profiles].find((one) => one.kind === kind && one.next !== null);
  let next = profile?.next ?? null;
  if (profile) profile.next = null;
  else {
    next = openPage(options);
    profile = { kind, home, context: (await next).context(), next: null };
    const opened = profile;
    profiles.add(opened);
    cleanUp(async () => {
      profiles.delete(opened);
      await opened.next;
    });
  }
  const page = (await next) as Page;
  await page.setViewportSize(viewport ?? { width: 1280, height: 720 });
  return page;
}

export interface Visitor {
  page: Page;
  /** What the browser has refused because of the content policy, and everything else that a page should not do. */
  faults: string[];
  /** Checks that axe finds nothing serious on the page as it is now, light and dark. */
  checkAccess(what: string): Promise<void>;
}

/** A person with a browser of their own, who has been nowhere yet. `home` is the service: nothing may be asked of another one. */
export async function openVisitor(home: string, options: BrowserContextOptions = {}): Promise<Visitor> {
  const page = await openEmptyPage(home, { reducedMotion: 'reduce', ...options });
  const faults: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(home).origin) faults.push(`asks ${request.url()}`);
  });
  page.on('console', (message) => {
    // The browser calls a status an error: of a page that says "not found", and of a request that a busy service asks to repeat.
    const isStatus = /the server responded with a status of (4\d\d|503)/.test(message.text());
    if (message.type() === 'error' && !isStatus) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  return { page, faults, checkAccess: (what) => checkAccess(page, what) };
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Of axe's rules, these look at colours; the others find the same in both schemes, so they run once. */
const colourRules = ['color-contrast', 'link-in-text-block'];

async function checkAccess(page: Page, what: string): Promise<void> {
  // Evaluated by the browser's own tools, which the page's content policy does not concern.
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(axeSource);
  for (const [colorScheme, runOnly] of [['light'], ['dark', colourRules]] as const) {
    await page.emulateMedia({ colorScheme });
    // Scripts that follow the scheme hear of it some frames later than the style sheets.
    for (let frame = 0; frame < 60; frame++) {
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => resolve()))');
      if ([undefined, colorScheme].includes(await page.evaluate('document.documentElement.dataset.scheme'))) break;
    }
    const violations = await page.evaluate(findViolations, runOnly && [...runOnly]);
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    const told = serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    assert.deepEqual(told, [], `${what}, ${colorScheme}`);
  }
}

/**
 * Runs in the browser. Rules that find nothing serious are left out. Axe is not in the frames of the page, and need not wait for
 * their answers.
 */
async function findViolations(runOnly: string[] | undefined): Promise<axe.Result[]> {
  const { axe: here } = globalThis as unknown as { axe: typeof axe & { _audit: { rules: LoadedRule[] } } };
  const lesser = here._audit.rules.filter(({ impact }) => impact === 'minor' || impact === 'moderate');
  const rules = Object.fromEntries(lesser.map(({ id }) => [id, { enabled: false }]));
  const { violations } = await here.run({
    resultTypes: ['violations'],
    iframes: false,
    ...(runOnly ? { runOnly } : { rules }),
  });
  return violations;
}

interface LoadedRule {
  id: string;
  impact?: string;
}

/** Waits until the page shows it, in one place at least: a state may stand in its row and for a moment in a notice too. */
export async function seen(shown: Locator): Promise<void> {
  await shown.filter({ visible: true }).first().waitFor();
}
