import assert from 'node:assert/strict';
import { test } from 'node:test';
import { theService } from '../../src/company/workspaces/audit.ts';
import {
  type GiftSettingsChange,
  readGiftSettings,
  updateGiftSettings,
} from '../../src/company/workspaces/gift-settings.ts';
import { readLogo, readLogoMark, setLogo } from '../../src/company/workspaces/logo.ts';
import { createWorkspace } from '../../src/company/workspaces/workspaces.ts';
import { brandColours, darkCard } from '../../src/giving/gifts/brand.ts';
import { Failure } from '../../src/ground/errors.ts';
import { contrast, textOn, white } from '../../src/ground/values/colour.ts';
import { readImage } from '../../src/ground/values/image.ts';
import { createTestDatabase } from '../support/database.ts';
import { aPng } from '../support/mails.ts';

const database = await createTestDatabase();
const { id } = await database.transaction((tx) =>
  createWorkspace(tx, theService, { name: 'Northwind', language: 'FR_CA', refusesUnknownEmployeeNumbers: false }),
);
const update = (change: GiftSettingsChange) => database.transaction((tx) => updateGiftSettings(tx, id, change));

async function problems(change: GiftSettingsChange): Promise<string[]> {
  const failure = await update(change).then(
    () => null,
    (error) => error,
  );
  assert.ok(failure instanceof Failure && failure.kind === 'invalid', JSON.stringify(change));
  return failure.faults.map(({ path, problem }) => `${path} ${problem}`);
}

test('settings that are given change, and the others stay', async () => {
  const before = await readGiftSettings(database, id);
  assert.deepEqual(await update({}), before);
  const change = {
    name: 'Northwind Labs',
    timeZone: 'America/Toronto',
    giftDays: 90,
    reminderDays: [2, 5, 30],
    codeAbove: 500,
    replyTo: 'people@northwind.example',
    sentence: 'Spend it in the canteen.',
  };
  assert.deepEqual(await update({ ...change, colour: '#8c2459' }), { ...before, ...change, colour: '#8C2459' });
  assert.deepEqual(await update({ mailsGifts: false, reminderDays: [] }), {
    ...before,
    ...change,
    colour: '#8C2459',
    mailsGifts: false,
    reminderDays: [],
  });
  const none = { name: null, giftDays: null, codeAbove: null, colour: null, replyTo: null, sentence: null };
  const cleared = await update({ ...none, reminderDaysBeforeExpiry: null });
  assert.deepEqual(
    { ...cleared },
    {
      ...before,
      ...none,
      name: 'Northwind',
      timeZone: 'America/Toronto',
      mailsGifts: false,
      reminderDays: [],
      reminderDaysBeforeExpiry: null,
    },
  );
});

test('every fault is named with what to write instead, and nothing changes', async () => {
  const before = await readGiftSettings(database, id);
  const found = await problems({
    name: ' ',
    timeZone: 'Mars/Olympus',
    giftDays: 0,
    reminderDays: [10, 3],
    reminderDaysBeforeExpiry: 1.5,
    codeAbove: -1,
    colour: 'red',
    replyTo: 'people',
    sentence: 'x'.repeat(301),
  });
  assert.equal(found.length, 9, found.join('\n'));
  assert.deepEqual(await readGiftSettings(database, id), before);
});

test('a time zone must be one that ends days alike here and in the database', async () => {
  for (const timeZone of ['+05:00', 'EST5EDT4,M3.2.0', 'posix/America/Toronto', '', 'america/toronto', "UTC'; --"])
    assert.equal((await problems({ timeZone })).length, 1, timeZone);
  for (const timeZone of ['UTC', 'Asia/Kolkata', 'Europe/Paris'])
    assert.equal((await update({ timeZone })).timeZone, timeZone);
});

test('texts of one line take neither line breaks nor control characters', async () => {
  for (const text of ['a\nb', 'a\r\nBcc: b', 'a\u2028b', 'a\u0007'])
    assert.equal((await problems({ name: text, sentence: text })).length, 2);
});

test('the length of a text counts its characters: an emoji is one', async () => {
  const name = '🎁'.repeat(100);
  assert.equal((await update({ name })).name, name);
  assert.deepEqual(await problems({ name: `${name}!` }), ['name must have at most 100 characters']);
  await update({ name: null });
});

test('a colour on which no text can be read is refused, with two near ones that can', async () => {
  for (const colour of ['#808080', '#E0455A']) {
    const [problem = ''] = await problems({ colour });
    const offered = problem.match(/#[0-9A-F]{6}/g) ?? [];
    assert.equal(offered.length, 2, problem);
    for (const near of offered) assert.equal((await update({ colour: near })).colour, near);
  }
});

test('text and links can be read on the colours that follow any colour that is accepted', () => {
  const steps = ['00', '33', '66', '99', 'CC', 'FF'];
  const all = steps.flatMap((red) => steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)));
  for (const colour of [null, ...all.filter((one) => textOn(one) !== null)]) {
    const { brand, onBrand, soft, link, darkButton, onDarkButton, darkLink } = brandColours(colour);
    for (const [text, ground] of [
      [onBrand, brand],
      [link, soft],
      [link, white],
      ['#6E5E68', soft],
      [onDarkButton, darkButton],
      [darkLink, darkCard],
    ] as const)
      assert.ok(contrast(text, ground) >= 4.5, `${colour}: ${text} on ${ground} has ${contrast(text, ground)}`);
    assert.ok(contrast(darkButton, darkCard) >= 3, `${colour}: ${darkButton}`);
  }
  assert.equal(brandColours('#8C2459').wire, '#F5B544');
  for (const colour of ['#FFD200', '#FF7A00', '#F5B544']) assert.equal(brandColours(colour).wire, white);
});

test('a logo is a PNG or JPEG of 100 KB at most, whatever its name says', async () => {
  const set = (bytes: Buffer | null) => database.transaction((tx) => setLogo(tx, theService, id, bytes));
  const png = aPng(540, 120);
  await set(png);
  assert.deepEqual(await readLogo(database, id), { type: 'image/png', bytes: png });
  const mark = (await readLogoMark(database, id)) as string;
  assert.ok(await readLogo(database, id, mark));
  assert.equal(await readLogo(database, id, mark.replace(/./g, '0')), null);
  assert.equal((await readGiftSettings(database, id)).hasLogo, true);
  for (const bytes of [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), Buffer.alloc(0), png.subarray(0, 20)])
    await assert.rejects(set(bytes), /must be a PNG or JPEG image/);
  await assert.rejects(set(Buffer.concat([png, Buffer.alloc(100_000)])), /it may have 100/);
  await set(null);
  assert.equal(await readLogo(database, id), null);
});

test('the size of a JPEG stands in its frame, behind other segments', () => {
  const segment = (kind: number, body: number[]) => [0xff, kind, 0, body.length + 2, ...body];
  const jpeg = [
    0xff,
    0xd8,
    ...segment(0xe0, [1, 2, 3]),
    ...segment(0xc4, [9]),
    ...segment(0xc2, [8, 0, 40, 0, 160, 3]),
  ];
  assert.deepEqual(readImage(Buffer.from(jpeg)), { type: 'image/jpeg', width: 160, height: 40 });
  for (let end = 0; end < jpeg.length - 6; end++) assert.equal(readImage(Buffer.from(jpeg.slice(0, end))), null);
});

test('the default reason of a new workspace is in its language', async () => {
  const reasonOf = async (language: string) => {
    const { id } = await database.transaction((tx) =>
      createWorkspace(tx, theService, { name: language, language, refusesUnknownEmployeeNumbers: false }),
    );
    const [reason] = await database.query<{ description: string }>(
      'select description from reasons where workspace_id = $1',
      [id],
    );
    return reason?.description;
  };
  assert.deepEqual(await Promise.all(['EN_CA', 'FR_CA', 'ES_MX', 'DE_DE'].map(reasonOf)), [
    'Thank you',
    'Merci',
    'Gracias',
    'Thank you',
  ]);
});
