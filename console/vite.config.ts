import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/*
 * `npm run build -w console` writes console/dist, which the service serves at `/`. `npm run dev -w console` is for people who change
 * the console: it asks the service at GIFTWIRE_URL, with the token GIFTWIRE_TOKEN if there is no session.
 */
const service = process.env.GIFTWIRE_URL ?? 'http://127.0.0.1:3000';
const token = process.env.GIFTWIRE_TOKEN;
const asked = { target: service, ...(token && { headers: { Authorization: `Bearer ${token}` } }) };

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react()],
  build: {
    assetsDir: 'asset',
    target: 'es2022',
    // A script that is inlined as a data address would need a weaker content policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    // Each file is a request, so there are few: one style sheet, the frame, what many screens share, and the screens.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'frame', tags: ['$initial'], priority: 1 },
            { name: 'parts', minShareCount: 13 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': asked, '/session': asked, '/g/': asked } },
});
