import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { type Words, wordsFor } from '../../../../giving/gifts/words/words.ts';
import { type Language, languages } from '../../../../ground/values/language.ts';

/** What a form or the script has posted, or a query has: texts by name. */
export type Fields = Readonly<Record<string, string | undefined>>;

/** The language that the visitor has chosen on the page; null before that. */
export function chosenLanguage({ query, body }: FastifyRequest): Language | null {
  // A request whose path cannot be decoded has no query.
  const chosen = (body as Fields | undefined)?.lang ?? (query as Fields | null)?.lang;
  return languages.find((one) => one === chosen) ?? null;
}

/** The words before a gift is known: in the language that was chosen, else in the browser's. */
export function visitorWords(request: FastifyRequest): Words {
  const preferred = new Negotiator(request.raw).languages([...languages]);
  return wordsFor(chosenLanguage(request) ?? '', ...preferred);
}

/** The words for a gift: in the language that was chosen, else in that of the order or of the workspace. */
export function giftWords(request: FastifyRequest, order: string, workspace: string): Words {
  const chosen = chosenLanguage(request);
  if (chosen === null) return wordsFor(order, workspace);
  const own = [order, workspace].filter((code) => code.slice(0, 2).toLowerCase() === chosen);
  return wordsFor(...own, chosen);
}

/** What was typed into a field. Browsers send each line break as two characters. PostgreSQL does not store NUL. */
export function typedText(value = ''): string {
  return value.replaceAll('\r\n', '\n').replaceAll('\0', '').toWellFormed().trim();
}
