/** The requested page of a list: zero-based, with `size` elements. */
export interface Page {
  page: number;
  size: number;
}

/** The fields that every page of a list begins with. */
export function pageFields({ page, size }: Page, totalElements: number) {
  return { page, size, totalElements, totalPages: Math.ceil(totalElements / size) };
}
