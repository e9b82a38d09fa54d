import { writeFile } from 'node:fs/promises';
import { createRoutesOnly } from '../test/support/routes-only.ts';
import { sdkTypes } from './sdk-types.ts';

/** Writes openapi.json from the routes' own schemas, and the types of the TypeScript client from it. */
const app = await createRoutesOnly();
const text = `${JSON.stringify(app.swagger(), null, 2)}\n`;
await writeFile(new URL('../openapi.json', import.meta.url), text);
await writeFile(new URL('../sdk/src/generated.ts', import.meta.url), sdkTypes(JSON.parse(text)));
await app.close();
