import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/*
 * The employees' app, a build of its own because it is small and has nothing of Mantine. `npx vite --config my.config.ts` is for people who
 * change it: as vite.config.ts, it asks the service at GIFTWIRE_URL.
 */
const service = process.env.GIFTWIRE_URL ?? 'http://127.0.0.1:3000';
const asked = { target: service };

export default defineConfig({
  root: join(import.meta.dirname, 'src/my'),
  base: '/my/',
  plugins: [react()],
  build: {
    assetsDir: 'asset',
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
  },
  server: { proxy: { '/api': asked, '/session': asked, '/g/': asked } },
});
