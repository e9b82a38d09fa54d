import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './mantine.css';
import '@mantine/notifications/styles.css';
import './tokens.css';
import './brand.css';
import './base.css';
import { queries } from './data/queries.ts';
import { styleNonce } from './nonce.ts';
import { Start } from './shell/start.tsx';
import { cssVariablesResolver, theme } from './theme.ts';
import { WordsProvider } from './words/words.tsx';

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <QueryClientProvider client={queries}>
        <WordsProvider>
          <Notifications position="bottom-center" />
          <Start />
        </WordsProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
