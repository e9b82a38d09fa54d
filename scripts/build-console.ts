import { buildConsole } from '../src/console.ts';

/* npm run build:console builds the web console into console/dist, unless that is the build of the sources as they are. */
await buildConsole(() => console.log('Building the web console: a few seconds.'));
