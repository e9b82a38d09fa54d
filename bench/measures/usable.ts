import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { makeSignInLink } from '../../src/company/access/sessions.ts';
import { findOrAddUser, giveRole } from '../../src/company/access/users.ts';
import { atTheCommandLine, theService } from '../../src/company/workspaces/audit.ts';
import { buildConsole } from '../../src/console.ts';
import type { Service } from '../programs.ts';

const executablePath = process.env.GIFTWIRE_TEST_BROWSER ?? '/usr/bin/chromium';

/** Screens of the console, and what shows there when somebody can begin to work: figures or rows, not the frame alone. */
const screens: Record<string, { path: string; shows: (page: Page) => Promise<void> }> = {
  home: { path: '', shows: (page) => page.getByText('People recognized', { exact: true }).waitFor() },
  people: { path: 'people', shows: firstRow },
  gifts: { path: 'gifts', shows: firstRow },
  send: { path: 'send', shows: (page) => page.getByRole('textbox', { name: 'Your words' }).waitFor() },
};

function firstRow(page: Page): Promise<void> {
  return page.locator('tbody tr').first().waitFor();
}

/** Measures from the beginning of a visit until a screen is usable, in a browser that has kept nothing; none where there is no browser. */
export async function openVisits(service: Service) {
  if (!existsSync(executablePath)) return { measures: {}, close: async () => {} };
  await buildConsole();
  const cookie = await signIn(service);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const measures = Object.fromEntries(
    Object.keys(screens).map((name) => [`usable: ${name}`, () => visit(browser, service, cookie, name)]),
  );
  return { measures, close: () => browser.close() };
}

async function visit(browser: Browser, { url, workspaceId }: Service, cookie: string, name: string): Promise<number> {
  const screen = screens[name];
  if (!screen) throw new Error(`there is no screen ${name}`);
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1_440, height: 900 } });
  const [key = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name: key, value, url }]);
  const page = await context.newPage();
  const began = performance.now();
  await page.goto(`${url}/w/${workspaceId}/${screen.path}`, { waitUntil: 'commit' });
  await screen.shows(page);
  const took = performance.now() - began;
  await context.close();
  return took;
}

/** Signs an owner in, and returns their cookie. */
async function signIn({ url, database, workspaceId }: Service): Promise<string> {
  const link = await database.transaction(async (tx) => {
    const user = await findOrAddUser(tx, workspaceId, { email: 'owner@example.com', name: 'Ada Okafor' });
    await giveRole(tx, atTheCommandLine, user, { workspaceId, role: 'OWNER' });
    return makeSignInLink(tx, theService, 'test', user);
  });
  const answer = await fetch(`${url}/session/link`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: url },
    body: JSON.stringify({ link }),
  });
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}
