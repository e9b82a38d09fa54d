import type { Page } from './types.ts';

/** How many elements are read at a time where the caller says nothing. */
export const usualSize = 100;

/** All elements of a list, read page by page as they are needed. */
export async function* eachElement<P extends Page, Element>(
  readPage: (page: number) => Promise<P>,
  elementsOf: (page: P) => readonly Element[],
): AsyncGenerator<Element, void> {
  for (let number = 0; ; number++) {
    const page = await readPage(number);
    yield* elementsOf(page);
    if (number + 1 >= page.totalPages) return;
  }
}

/** The same for a list whose pages say where the next one begins. */
export async function* eachAfter<Query extends object, P extends { next: unknown }, Element>(
  query: Query,
  readPage: (query: Query) => Promise<P>,
  elementsOf: (page: P) => readonly Element[],
): AsyncGenerator<Element, void> {
  for (let asked = { size: usualSize, ...query }; ; ) {
    const page = await readPage(asked);
    yield* elementsOf(page);
    if (page.next === null) return;
    asked = { ...asked, after: page.next };
  }
}
