import assert from 'node:assert/strict';
import { buildConsole } from '../../src/console.ts';
import { openVisitor, seen, type Visitor } from './browser.ts';
import type { TestService } from './service.ts';
import { addUser, type Joining } from './sign-in.ts';

export interface MyOptions extends Joining {
  /** A phone has 360. */
  width?: number;
  language?: 'en' | 'fr' | 'es';
}

export interface MyPages extends Visitor {
  /** Opens a place by its address below the workspace, as `/gifts/7`. */
  open(path: string): Promise<void>;
  /** Checks at the end of a test: nothing is wider than the screen, no button is swollen by another rule, axe finds nothing serious, and the browser has refused and logged nothing. */
  done(what: string): Promise<void>;
}

let built: Promise<void> | null = null;

/** A person in the employees' app, who has come with a sign-in link and pressed its button. */
export async function openMy(service: TestService, options: MyOptions): Promise<MyPages> {
  const { role = 'MANAGER', ...joining } = options;
  const { link } = await addUser(service, { role, ...joining });
  return enterMy(service, link, options);
}

/** The same with a link that was emailed. */
export async function enterMy(
  service: TestService,
  link: string,
  {
    width = 360,
    language = 'en',
    workspace = service.workspaceId,
  }: Pick<MyOptions, 'width' | 'language' | 'workspace'>,
): Promise<MyPages> {
  built ??= buildConsole();
  await built;
  const visitor = await openVisitor(service.url, { viewport: { width, height: 760 }, locale: language });
  const { page, faults, checkAccess } = visitor;
  await page.goto(`${service.url}/my/sign-in#${link}`);
  const app = page.locator('.app > main');
  const refused = page.locator('main [role="alert"]');
  do {
    await page.locator('main button').first().click();
    await seen(app.or(refused));
    // A busy machine may refuse it once: the page says so, and the button is still there.
  } while (!(await app.first().isVisible()));
  return {
    ...visitor,
    async open(path) {
      await page.goto(`${service.url}/my/${workspace}${path}`);
      await page.locator('h1').first().waitFor({ state: 'attached' });
    },
    async done(what) {
      const isWider = await page.evaluate(
        'document.documentElement.scrollWidth > document.documentElement.clientWidth',
      );
      assert.equal(isWider, false, `${what} is wider than the screen`);
      assert.deepEqual(await page.evaluate(tallButtons), [], `${what} has buttons that are taller than their text`);
      await checkAccess(what);
      assert.deepEqual(faults, [], what);
    },
  };
}

/** Runs in the browser: the texts of large buttons that are more than 34 pixels higher than their text. */
const tallButtons = `[...document.querySelectorAll('.button')].filter((button) => {
  const text = document.createRange();
  text.selectNodeContents(button);
  const height = text.getBoundingClientRect().height;
  return height > 0 && button.getBoundingClientRect().height > height + 34;
}).map((button) => button.textContent)`;
