import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { composeMail } from '../src/giving/delivery/compose/compose.ts';
import { printSheet } from '../src/giving/delivery/print/print.ts';
import { browserPath, needsBrowser } from '../test/support/browser.ts';
import { sampleMails, samplePrints } from '../test/support/mail-samples.ts';
import { takeConsolePictures } from './look-console.ts';

/*
 * npm run look -- <folder> [name…] writes mails and prints as files and takes pictures of them, light and dark, wide and
 * narrow, for people who change their looks. npm run look -- console takes the README's pictures of the console.
 */
const [folder, ...wanted] = process.argv.slice(2);
if (!folder) throw new Error('Say where to: npm run look -- <folder> [name…]');
if (browserPath === null) throw new Error(needsBrowser.skip as string);
const executablePath = browserPath;
if (folder === 'console') {
  await takeConsolePictures(executablePath);
  process.exit();
}
mkdirSync(folder, { recursive: true });
const isWanted = (name: string) => wanted.length === 0 || wanted.some((one) => name === one);

const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu'],
});
for (const [name, mail] of Object.entries(sampleMails).filter(([one]) => isWanted(one))) {
  const { subject, fromName, text, html, attachments } = composeMail(mail);
  const shown = attachments.reduce(
    (page, { cid, contentType, content }) =>
      page.replace(`cid:${cid}`, `data:${contentType};base64,${content.toString('base64')}`),
    html,
  );
  writeFileSync(join(folder, `${name}.html`), shown);
  writeFileSync(join(folder, `${name}.txt`), `From: ${fromName}\nSubject: ${subject}\n\n${text}`);
  await takePictures(browser, name, shown);
}
for (const [name, { gifts, options }] of Object.entries(samplePrints).filter(([one]) => isWanted(one))) {
  const page = await printSheet(gifts, options);
  writeFileSync(join(folder, `${name}.html`), page);
  const shown = await browser.newPage({ viewport: { width: 860, height: 600 } });
  await shown.setContent(page);
  await shown.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  for (const format of ['A4', 'Letter'])
    await shown.pdf({ path: join(folder, `${name}-${format}.pdf`), format, preferCSSPageSize: false });
  await shown.close();
}
await browser.close();

async function takePictures(from: Browser, name: string, page: string): Promise<void> {
  for (const [colorScheme, width] of [
    ['light', 700],
    ['dark', 360],
  ] as const) {
    const shown = await from.newPage({ colorScheme, viewport: { width, height: 600 } });
    await shown.setContent(page);
    await shown.screenshot({ path: join(folder as string, `${name}-${colorScheme}-${width}.png`), fullPage: true });
    await shown.close();
  }
}
