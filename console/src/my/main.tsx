import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../tokens.css';
import './look/base.css';
import './look/parts.css';
import './look/frame.css';
import './look/gifts.css';
import './look/feed.css';
import './look/sign-in.css';
import './look/tv.css';
import { queries } from '../data/queries.ts';
import { followScheme } from './shell/scheme.ts';
import { Start } from './shell/start.tsx';
import { WordsProvider } from './words/words.tsx';

followScheme();

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <WordsProvider>
        <Start />
      </WordsProvider>
    </QueryClientProvider>
  </StrictMode>,
);
