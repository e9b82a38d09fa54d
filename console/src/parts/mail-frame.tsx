import { useEffect, useRef, useState } from 'react';

interface MailFrameProps {
  /** A whole HTML document that the service has made: a mail, a gift page, a print. */
  html: string;
  title: string;
  /** How wide the reader's screen is. The frame is as high as what it shows. */
  width?: number | string;
  /** What the reader's system is set to. */
  scheme?: 'light' | 'dark';
}

/**
 * Shows a document inside the page. A mail has inline styles, which the content policy of the console refuses. So the document is built
 * from its parts: styles go in through the CSS object model, which the policy allows, and scripts, frames and handlers are left out.
 */
export function MailFrame({ html, title, width = '100%', scheme = 'light' }: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(200);
  useEffect(() => {
    const target = frame.current?.contentDocument;
    if (!target) return;
    showDocument(target, html);
    const measure = () => setHeight(target.documentElement.scrollHeight);
    measure();
    const observer = new ResizeObserver(measure);
    if (target.body) observer.observe(target.body);
    return () => observer.disconnect();
  }, [html]);
  return (
    <iframe
      ref={frame}
      title={title}
      style={{ width, height, border: 0, display: 'block', maxWidth: '100%', colorScheme: scheme }}
    />
  );
}

const leftOut = 'script, iframe, object, embed, base, meta, link:not([rel="stylesheet"])';

function showDocument(target: Document, html: string): void {
  // The parser itself would report inline styles to the content policy, so they are under other names while it reads.
  const renamed = html.replace(/<style\b/gi, '<template data-sheet').replace(/<\/style\s*>/gi, '</template>');
  const source = new DOMParser().parseFromString(renamed.replace(/\sstyle=/gi, ' data-style='), 'text/html');
  const View = target.defaultView as (Window & typeof globalThis) | null;
  if (!View) return;
  const sheets = [...source.querySelectorAll<HTMLTemplateElement>('template[data-sheet]')];
  target.adoptedStyleSheets = sheets.map((sheet) => {
    const made = new View.CSSStyleSheet();
    made.replaceSync(sheet.content.textContent ?? '');
    return made;
  });
  for (const node of source.querySelectorAll(`${leftOut}, template`)) node.remove();
  const root = target.importNode(source.documentElement, true);
  for (const element of [root, ...root.querySelectorAll<HTMLElement>('*')]) dress(element);
  target.replaceChild(root, target.documentElement);
}

/** Gives an element its inline style through the object model, and takes its handlers. Links open nothing. */
function dress(element: HTMLElement): void {
  const style = element.getAttribute('data-style');
  if (style !== null) element.style.cssText = style;
  element.removeAttribute('data-style');
  for (const { name } of [...element.attributes]) if (name.startsWith('on')) element.removeAttribute(name);
  if (element.tagName === 'A') element.setAttribute('tabindex', '-1');
  if (element.tagName === 'A') element.removeAttribute('href');
}
