import assert from 'node:assert/strict';
import { buildConsole } from '../../src/console.ts';
import { openVisitor, type Visitor } from './browser.ts';
import type { TestService } from './service.ts';
import { type Joining, signIn } from './sign-in.ts';

export interface ConsoleOptions extends Joining {
  /** A phone has 360. */
  width?: number;
  language?: 'en' | 'fr' | 'es';
}

export interface Console extends Visitor {
  /** Opens a screen by its address below the workspace, as `/gifts?state=FAILED`. */
  open(path: string): Promise<void>;
  /** Checks at the end of a test: axe finds nothing serious, and the browser has refused and logged nothing. */
  done(what: string): Promise<void>;
}

let built: Promise<void> | null = null;

/** A person with a role, signed in to the console in a browser of their own. */
export async function openConsole(service: TestService, options: ConsoleOptions = {}): Promise<Console> {
  const { width = 1280, language = 'en', ...joining } = options;
  built ??= buildConsole();
  await built;
  const visitor = await openVisitor(service.url, { viewport: { width, height: 900 }, locale: language });
  const { page, faults, checkAccess } = visitor;
  await page.addInitScript(withoutSecureContext);
  const { cookie } = await signIn(service, joining);
  const [name = '', value = ''] = cookie.split('=');
  await page.context().addCookies([{ name, value, url: service.url }]);
  return {
    ...visitor,
    async open(path) {
      await page.goto(`${service.url}/w/${joining.workspace ?? service.workspaceId}${path}`);
      await page.locator('h1').first().waitFor();
    },
    async done(what) {
      await checkAccess(what);
      assert.deepEqual(faults, [], what);
    },
  };
}

/** Runs in the browser: takes away what browsers have on https and on their own machine alone. Test environments may be at plain http. */
function withoutSecureContext(): void {
  for (const name of ['randomUUID', 'subtle']) Reflect.deleteProperty(Crypto.prototype, name);
}
