import type { Letter, Piece, Section, Sentence } from './letter.ts';
import { paragraphs } from './plain.ts';

/** A letter as plain text. Lines are not wrapped: a phone and a desk do that in their own ways. */
export function mailText(letter: Letter): string {
  const { words, company, title, lead, code, sections = [], button, facts, notes, otherWay, footer } = letter;
  const labelled = (label: string, value: string) => words.say('labelled', { label, value });
  const blocks = [
    company,
    title,
    plain(lead),
    code,
    quoteText(letter),
    ...sections.map((section) => sectionText(letter, section)),
    button && labelled(button.label, `\n${button.href}`),
    facts.map(({ label, value }) => labelled(label, value)).join('\n'),
    ...notes.map(plain),
    otherWay && labelled(plain(otherWay.sentence), `\n${otherWay.shortToken}`),
    ...footer.map(({ title: heading, sentences }) => [heading, ...sentences.map(plain)].filter(Boolean).join(' ')),
  ];
  return `${blocks.filter(Boolean).join('\n\n').replace(/ +$/gm, '')}\n`;
}

function sectionText({ words }: Letter, { title, entries }: Section): string {
  const lines = entries.map(({ lead, text }) => plain(lead) + (text ? `\n${words.say('quoted', { text })}` : ''));
  return [...(title ? [title] : []), ...lines].join(entries.some(({ text }) => text) ? '\n\n' : '\n');
}

function quoteText({ words, quote }: Letter): string | undefined {
  if (!quote) return undefined;
  const text = paragraphs(quote.text)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
  return words.say('quoted', { text }) + (quote.by && `\n— ${quote.by}`);
}

function plain(sentence: Sentence): string {
  return sentence.map(plainPiece).join('');
}

function plainPiece(piece: Piece): string {
  if (typeof piece === 'string') return piece;
  if ('name' in piece) return piece.name;
  return 'strong' in piece ? piece.strong : piece.plain;
}
