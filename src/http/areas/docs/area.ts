import type { Area } from '../../area.ts';
import { serveDocs } from './routes.ts';

export const docsArea: Area = {
  prefix: '',
  authenticate: 'public',
  guide: '/docs',
  plugin: serveDocs,
};
