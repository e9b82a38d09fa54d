import type { Area } from '../../area.ts';
import { serveConsole } from './routes.ts';

export interface ConsoleOptions {
  /** Where the build of the console is, or will be once it is finished. */
  folder: string;
}

/** The web console at the root. It is a client of the API like any other, so these routes only serve files. */
export function consoleArea({ folder }: ConsoleOptions): Area {
  return { prefix: '', authenticate: 'public', plugin: (app) => serveConsole(app, folder) };
}
