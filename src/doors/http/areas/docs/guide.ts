import { readFileSync } from 'node:fs';
import { html } from 'ghtml';
import { Marked, type Token, type Tokens } from 'marked';
import { codeBlock } from './code.ts';
import { exampleOrigin } from './curl.ts';

export interface GuidePage {
  slug: string;
  title: string;
  /** The first paragraph, as plain text: what the page is about. */
  summary: string;
  sections: { id: string; title: string }[];
  body: string;
}

/** The pages of docs/guide in the sequence in which they are read. */
export const guideSlugs = [
  'first-gift',
  'access',
  'retries',
  'errors',
  'people',
  'recognition',
  'events',
  'automations',
] as const;

const folder = new URL('../../../../../docs/guide/', import.meta.url);

/** Reads the guide: Markdown files, so that they can be read in the repository as well. */
export function readGuide(): GuidePage[] {
  return guideSlugs.map((slug) => renderPage(slug, readFileSync(new URL(`${slug}.md`, folder), 'utf8')));
}

function renderPage(slug: string, text: string): GuidePage {
  const tokens = markdown.lexer(text);
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading');
  const paragraph = tokens.find((token) => token.type === 'paragraph');
  return {
    slug,
    title: headings[0]?.text ?? slug,
    summary: (paragraph?.raw ?? '')
      .trim()
      .replace(/\s+/g, ' ')
      .replace(/`/g, '')
      .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1'),
    sections: headings.filter(({ depth }) => depth === 2).map(({ text: title }) => ({ id: idOf(title), title })),
    body: markdown.parser(markAnswers(tokens)),
  };
}

/** A block of JSON or HTTP that follows a command is what that command answers with. */
function markAnswers(tokens: Token[]): Token[] {
  const blocks = tokens.filter(({ type }) => type !== 'space');
  for (const [nth, block] of blocks.entries()) {
    const before = blocks[nth - 1];
    if (block.type === 'code' && block.lang !== 'sh' && before?.type === 'code' && before.lang === 'sh')
      Object.assign(block, { isAnswer: true });
  }
  return tokens;
}

const blockTitles: Record<string, string> = { sh: 'Terminal', json: 'JSON', http: 'HTTP', js: 'JavaScript' };

const markdown = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      const words = this.parser.parseInline(tokens);
      if (depth === 1) return html`<h1>!${words}</h1>`;
      return html`<h${depth} id="${idOf(text)}"><a class="anchor" href="#${idOf(text)}">!${words}</a></h${depth}>`;
    },
    code({ text, lang = '', ...rest }) {
      const isAnswer = 'isAnswer' in rest;
      return codeBlock({ title: isAnswer ? 'Answer' : (blockTitles[lang] ?? lang), language: lang, text, isAnswer });
    },
    link({ href, tokens }) {
      return html`<a href="${pageAddress(href)}">!${this.parser.parseInline(tokens)}</a>`;
    },
    table({ header, rows }) {
      const titles = header.map(({ text }) => text.replaceAll('`', ''));
      const cells = (row: Tokens.TableCell[]) => row.map(({ tokens }) => this.parser.parseInline(tokens));
      const line = (row: Tokens.TableCell[]) =>
        html`<tr>!${cells(row).map((cell, nth) => html`<td data-label="${titles[nth]}">!${cell}</td>`)}</tr>`;
      return html`<div class="scroll" role="region" aria-label="${titles.join(', ')}" tabindex="0"><table>
<thead><tr>!${cells(header).map((cell) => html`<th scope="col">!${cell}</th>`)}</tr></thead>
<tbody>!${rows.map(line)}</tbody></table></div>`;
    },
  },
});

/** Text with Markdown in it, such as a description in the OpenAPI document. */
export function inlineMarkdown(text: string): string {
  return markdown.parseInline(text, { async: false });
}

/** In the repository a page links to `errors.md`, and to the reference at the demo's address. */
function pageAddress(href: string): string {
  return href.replace(exampleOrigin, '').replace(/^([\w-]+)\.md/, '/docs/guide/$1');
}

function idOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\d]+/gu, '-')
    .replace(/^-|-$/g, '');
}
