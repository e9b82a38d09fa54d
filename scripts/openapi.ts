import { writeFile } from 'node:fs/promises';
import { createRoutesOnly } from '../test/support/routes-only.ts';

/** Writes openapi.json from the routes' own schemas. */
const app = await createRoutesOnly();
await writeFile(new URL('../openapi.json', import.meta.url), `${JSON.stringify(app.swagger(), null, 2)}\n`);
await app.close();
