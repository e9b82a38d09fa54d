import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderManifests } from '../test/support/chart/render.ts';

/** Writes deploy/kubernetes.yaml from the chart. Needs Go and sprig: docs/testing.md names Debian's packages. */
writeFileSync(join(import.meta.dirname, '../deploy/kubernetes.yaml'), renderManifests());
