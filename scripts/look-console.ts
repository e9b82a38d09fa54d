import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { chromium, type Page } from 'playwright-core';
import { startApp } from '../src/app.ts';
import { buildConsole } from '../src/console.ts';
import { readConfig } from '../src/ground/config/config.ts';

const docs = join(import.meta.dirname, '../docs');
const workspace = 1;

/** Takes the README's pictures of the console, in a demo company of its own: home, and the timeline of a gift that was claimed. */
export async function takeConsolePictures(executablePath: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'giftwire-look-'));
  await buildConsole();
  const config = { ...readConfig({}), dataDir, port: 0, demo: true };
  const app = await startApp(config, pino({ level: 'silent' }), { wantsLink: true });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage({
      viewport: { width: 1280, height: 1_080 },
      colorScheme: 'light',
      locale: 'en',
    });
    await page.goto(app.signInLink as string);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('list', { name: 'Recognized in 90 days' }).getByRole('listitem').first().waitFor();
    await page.getByRole('img', { name: /^Line chart/ }).waitFor();
    await page.screenshot({ path: join(docs, 'console-home.png') });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${app.url}/w/${workspace}/gifts/${await findClaimed(page, app.url)}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText('250 2.0.0 OK').first().waitFor();
    await page.screenshot({ path: join(docs, 'console-gift.png') });
  } finally {
    await browser.close();
    await app.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The newest gift that somebody has claimed and thanked for. */
async function findClaimed(page: Page, url: string): Promise<number> {
  const answer = await page.request.get(`${url}/api/v1/gifts?state=CLAIMED&size=100`, {
    headers: { 'X-Workspace-id': String(workspace) },
  });
  const { gifts } = (await answer.json()) as { gifts: { id: number; thanks: string | null }[] };
  const found = gifts.find(({ thanks }) => thanks !== null) ?? gifts[0];
  if (!found) throw new Error('The demo has no claimed gift.');
  return found.id;
}
