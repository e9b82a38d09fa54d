import Type, { type TProperties } from 'typebox';

const maxPageSize = 1_000;

export const PageQuery = {
  page: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'Zero-based page number. A page past the end is empty.',
  }),
  size: Type.Integer({ minimum: 1, maximum: maxPageSize, default: 20, description: 'Elements on a page.' }),
};

/**
 * The query of a list that is ours alone: an unknown parameter is refused, because a misspelt filter would show everybody.
 * The operations of the interface ignore what they do not know, as its clients expect.
 */
export function ownQuery<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false });
}

export const PageFields = {
  page: Type.Integer({ description: 'Current page number, zero-based.', examples: [0] }),
  size: Type.Integer({ description: 'Page size.', examples: [20] }),
  totalElements: Type.Integer({ description: 'Total number of elements.', examples: [1] }),
  totalPages: Type.Integer({ description: 'Total number of pages; 0 when there is nothing.', examples: [1] }),
};

export interface Page {
  page: number;
  size: number;
}

export function pageFields({ page, size }: Page, totalElements: number) {
  return { page, size, totalElements, totalPages: Math.ceil(totalElements / size) };
}
