import { join } from 'node:path';

/** Where `npm run build:console` writes the web console. */
export const consoleFolder = join(import.meta.dirname, '../console/dist');
