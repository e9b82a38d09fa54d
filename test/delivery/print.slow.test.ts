import assert from 'node:assert/strict';
import { test } from 'node:test';
import jsqr from 'jsqr';
import type { Page } from 'playwright-core';
import { type GiftToPrint, printSheet } from '../../src/giving/delivery/print/print.ts';
import { printStyle } from '../../src/giving/delivery/print/style.ts';
import { needsBrowser, openPage } from '../support/browser.ts';
import { aMail, sampleGift, sampleSettings } from '../support/mails.ts';
import { findMarkupFault } from '../support/markup.ts';
import { naughtyStrings } from '../support/naughty-strings.ts';

const messages = [
  'Thank you for the launch.',
  'شكراً جزيلاً على عملك الرائع في مشروع الرواتب.',
  '谢谢你周五晚上的辛勤工作，工资系统上线非常顺利。',
  '🎉👩🏽‍🚀🇨🇦 देवनागरी ไทย עברית',
  'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(20),
  'Thank you. '.repeat(90).trim(),
  'One\nline\nafter\nanother\n'.repeat(20).trim(),
  '<script>alert(1)</script>',
];
const options = { settings: sampleSettings, codePage: 'https://gifts.northwind.example/g' };

function someGifts(count: number): GiftToPrint[] {
  return Array.from({ length: count }, (_, nth) => {
    const message = messages[nth % messages.length] as string;
    // As long as the link of a gift that was issued again.
    const page = `${options.codePage}#${`Aq3-_${nth}`.padEnd(46, 'Zx8_')}`;
    return { gift: { ...sampleGift, message, firstName: message.slice(0, 20) }, shortToken: aMail().shortToken, page };
  });
}

async function show(html: string): Promise<Page> {
  const page = await openPage({ viewport: { width: 860, height: 1200 } });
  await page.setContent(html);
  return page;
}

/** What a scanner reads in a picture of each QR code, taken of the page as it is printed. */
async function scan(page: Page): Promise<(string | undefined)[]> {
  await page.emulateMedia({ media: 'print' });
  const codes = await page.locator('svg.qr').all();
  const read: (string | undefined)[] = [];
  for (const code of codes) {
    const picture = (await code.screenshot()).toString('base64');
    const { data, width, height } = await page.evaluate(pixelsOf, picture);
    read.push(jsqr.default(Uint8ClampedArray.from(Buffer.from(data, 'base64')), width, height)?.data);
  }
  return read;
}

/** Runs in the browser, which can read a PNG. Returns the pixels as Base64: a list of numbers takes far longer to hand over. */
async function pixelsOf(picture: string): Promise<{ data: string; width: number; height: number }> {
  // biome-ignore lint/suspicious/noExplicitAny: the types of a browser are not those of this project.
  const { createImageBitmap, OffscreenCanvas, atob, btoa, Blob } = globalThis as any;
  const bytes = Uint8Array.from(atob(picture), (one: string) => one.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes]));
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data, width, height } = context.getImageData(0, 0, image.width, image.height);
  const text = Array.from(data as Uint8ClampedArray, (byte) => String.fromCharCode(byte)).join('');
  return { data: btoa(text), width, height };
}

for (const perPage of [1, 8] as const) {
  test(`a scanner reads every link, with ${perPage} on a sheet, whatever the message is`, needsBrowser, async () => {
    const gifts = someGifts(10);
    const page = await show(await printSheet(gifts, { ...options, perPage }));
    assert.deepEqual(
      await scan(page),
      gifts.map(({ page: link }) => link),
    );
  });

  test(
    `nothing leaves its place, with ${perPage} on a sheet: code, link and amount are on the paper`,
    needsBrowser,
    async () => {
      const page = await show(await printSheet(someGifts(8), { ...options, perPage }));
      await page.emulateMedia({ media: 'print' });
      const outside = await page.evaluate(() => {
        // biome-ignore lint/suspicious/noExplicitAny: the types of a browser are not those of this project.
        const { document } = globalThis as any;
        // biome-ignore lint/suspicious/noExplicitAny: as above.
        const box = (element: any) => element.getBoundingClientRect();
        // biome-ignore lint/suspicious/noExplicitAny: as above.
        return [...document.querySelectorAll('article')].flatMap((article: any) =>
          [...article.querySelectorAll('h1, .lead, .qr, .code, .scan, dl')]
            .filter((part) => box(part).bottom > box(article).bottom || box(part).right > box(article).right + 12)
            .map((part) => part.outerHTML.slice(0, 80)),
        );
      });
      assert.deepEqual(outside, []);
      for (const format of ['A4', 'Letter']) {
        const pdf = await page.pdf({ format });
        assert.equal(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length, 8 / perPage, format);
      }
    },
  );
}

test('a print has the short code, the amount, the names and the last day, and no mark-up of others', async () => {
  for (const text of naughtyStrings) {
    const gift = { ...sampleGift, firstName: text, senderName: text, message: text, reason: text };
    const settings = { ...sampleSettings, name: text, sentence: text };
    const one = { gift, shortToken: '7K4Q-M2XD-9RTW-3HBN', page: aMail().links.page };
    const html = await printSheet([one], { ...options, settings, perPage: 1 });
    assert.equal(findMarkupFault(html.replace(/<style>.*<\/style>/s, '')), null, text);
    for (const shown of ['7K4Q-M2XD-9RTW-3HBN', 'CA$75.00', '31 March 2027', 'gifts.northwind.example/g'])
      assert.ok(html.includes(shown), shown);
  }
});

test('a print runs under a strict content policy: one style, no script, no style attribute, nothing fetched', async () => {
  const html = await printSheet(someGifts(2), { ...options, perPage: 8 });
  assert.deepEqual(html.match(/<style>(.*?)<\/style>/s)?.[1], printStyle);
  assert.doesNotMatch(html, /<script|style="|src=|url\(|@import|<link/);
});
