import Type from 'typebox';

const maxPageSize = 1_000;

export const PageQuery = {
  page: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'Page number, zero-based. A page past the end is empty.',
  }),
  size: Type.Integer({ minimum: 1, maximum: maxPageSize, default: 20, description: 'Elements on a page.' }),
};

/** For lists that are also given as CSV. */
export const CsvQuery = {
  bom: Type.Boolean({
    default: false,
    description: 'true: a CSV answer begins with a byte order mark, which tells Excel that the text is UTF-8.',
  }),
};

export const PageFields = {
  page: Type.Integer({ description: 'Current page number, zero-based.', examples: [0] }),
  size: Type.Integer({ description: 'Page size.', examples: [20] }),
  totalElements: Type.Integer({ description: 'Total number of elements.', examples: [1] }),
  totalPages: Type.Integer({ description: 'Total number of pages; 0 when there are no elements.', examples: [1] }),
};
