import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import styles from './framed.module.css';

interface FramedProps {
  /** A whole document that the service wrote. */
  html: string;
  title: string;
  /** What its reader's system is set to; what this page has if absent. */
  scheme?: 'light' | 'dark';
  /** What a click on the link to the gift does. Without it the link does nothing, as all others. */
  onGift?: () => void;
}

/**
 * An email or a gift page as its reader sees it, in a frame as high as the document. Nothing in it can be pressed but the link to the gift. The frame has our own
 * content policy, which refuses styles in HTML: they are set through the CSSOM, as scripts may.
 */
export function Framed({ html, title, scheme, onGift }: FramedProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(480);
  const own = useComputedColorScheme();
  const openGift = useRef(onGift);
  openGift.current = onGift;
  useEffect(() => {
    const shown = frame.current?.contentDocument;
    if (!shown) return;
    show(shown, html);
    if (openGift.current)
      for (const link of giftLinks(shown)) link.addEventListener('click', () => openGift.current?.());
    const observer = new ResizeObserver(() => setHeight(shown.documentElement.scrollHeight));
    observer.observe(shown.body);
    return () => observer.disconnect();
  }, [html]);
  return (
    <iframe
      ref={frame}
      title={title}
      // No scripts, no forms, no windows.
      sandbox="allow-same-origin"
      tabIndex={-1}
      className={styles.frame}
      style={{ height, colorScheme: scheme ?? own }}
    />
  );
}

const styleElement = /<style>([\s\S]*?)<\/style>/g;

function show(shown: Document, html: string): void {
  const sheets = [...html.matchAll(styleElement)].map(([, css = '']) => css);
  const inert = html.replace(styleElement, '').replaceAll(' style="', ' data-style="');
  const { head, body } = new DOMParser().parseFromString(inert, 'text/html');
  // Without a doctype tables would have the sizes of the nineties.
  shown.open();
  shown.write('<!doctype html><html><head></head><body></body></html>');
  shown.close();
  for (const link of head.querySelectorAll('link[rel="stylesheet"]')) shown.head.append(shown.adoptNode(link));
  for (const script of body.querySelectorAll('script')) script.remove();
  disarm(body);
  shown.body.replaceWith(shown.adoptNode(body));
  for (const element of shown.querySelectorAll<HTMLElement>('[data-style]'))
    element.style.cssText = element.dataset.style ?? '';
  shown.adoptedStyleSheets = sheets.map((css) => sheetOf(shown, css));
}

function disarm(body: HTMLElement): void {
  for (const link of body.querySelectorAll('a')) {
    if (link.pathname.endsWith('/g')) link.dataset.gift = '';
    link.removeAttribute('href');
  }
  for (const button of body.querySelectorAll<HTMLElement>('button, summary, input, textarea')) button.tabIndex = -1;
}

/** Links to the page of the gift. */
function giftLinks(shown: Document): HTMLElement[] {
  const links = [...shown.querySelectorAll<HTMLElement>('a[data-gift]')];
  for (const link of links) link.style.cursor = 'pointer';
  return links;
}

function sheetOf(shown: Document, css: string): CSSStyleSheet {
  const { CSSStyleSheet: Sheet } = shown.defaultView as unknown as { CSSStyleSheet: typeof CSSStyleSheet };
  const sheet = new Sheet();
  sheet.replaceSync(css);
  return sheet;
}
