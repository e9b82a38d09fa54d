import { Fragment, type ReactNode } from 'react';

/** A text whose words in braces are replaced: a name in a list, a field in a form. */
export function Sentence({ text, parts }: { text: string; parts: Readonly<Record<string, ReactNode>> }) {
  return text.split(/\{(\w+)\}/).map((piece, nth) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no other name
    <Fragment key={nth}>{nth % 2 === 1 ? parts[piece] : piece}</Fragment>
  ));
}
