/** Which page of a list is asked for: zero-based, with so many elements. */
export interface Page {
  page: number;
  size: number;
}

/** The fields that every page of a list begins with. */
export function pageFields({ page, size }: Page, totalElements: number) {
  return { page, size, totalElements, totalPages: Math.ceil(totalElements / size) };
}
