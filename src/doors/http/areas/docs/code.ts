import { html } from 'ghtml';

export interface CodeBlock {
  title: string;
  language: string;
  text: string;
  /** Stands directly below the block before it, as the answer to it. */
  isAnswer?: boolean;
}

/** A block of code with its title and a button that copies it. */
export function codeBlock({ title, language, text, isAnswer = false }: CodeBlock): string {
  return html`<figure class="code${isAnswer ? ' answer' : ''}">
<figcaption>${title}<button type="button" class="copy needs-script">Copy</button></figcaption>
<pre tabindex="0"><code>!${highlight(language, text)}</code></pre>
</figure>`;
}

/** One pattern for each language; the name of the group that matches is the class of the text. */
const patterns: Record<string, RegExp> = {
  json: /(?<key>"(?:\\.|[^"\\])*"(?=\s*:))|(?<text>"(?:\\.|[^"\\])*")|(?<word>\b(?:true|false|null)\b)|(?<number>-?\b\d[\d.eE+-]*)/g,
  sh: /(?<note>(?<=^|\s)#.*)|(?<text>'[^']*'|"[^"]*")|(?<word>^(?:curl|npx|export)\b)|(?<option>(?<=\s)--?[A-Za-z][\w-]*)/gm,
  http: /(?<word>^HTTP\/\S+ .*)|(?<key>^[\w-]+(?=:))/gm,
};

/** The body of a request stands in its command between single quotes. */
const quotedBody = /^'[{[]/;

function highlight(language: string, text: string): string {
  const pattern = patterns[language];
  const bodyAt = language === 'http' ? text.indexOf('\n\n') : -1;
  if (bodyAt > 0) return highlight('http', text.slice(0, bodyAt)) + highlight('json', text.slice(bodyAt));
  if (!pattern) return html`${text}`;
  let written = '';
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    const kind = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined)?.[0];
    const isBody = language === 'sh' && quotedBody.test(match[0]);
    const piece = isBody ? highlight('json', match[0]) : html`<span class="c-${kind}">${match[0]}</span>`;
    written += html`${text.slice(from, match.index)}!${piece}`;
    from = match.index + match[0].length;
  }
  return written + html`${text.slice(from)}`;
}
