/** Where a page stands in its list. */
export interface Page {
  /** The number of this page; the first one is 0. */
  page: number;
  /** How many elements a page holds. */
  size: number;
  /** How many elements there are in all. */
  totalElements: number;
  /** How many pages there are; 0 when there are no elements. */
  totalPages: number;
}

/** Which page to read. */
export interface PageQuery {
  /** The number of the page; the first one is 0. A page past the end is empty. */
  page?: number;
  /** How many elements a page holds, from 1 to 1,000; 20 when absent. */
  size?: number;
}
