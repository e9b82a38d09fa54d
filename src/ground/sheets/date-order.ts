import { type DateFormat, parseDateFormat } from './dates.ts';

/** Whether the day or the month comes first in the dates of a file. */
export type DateOrder = 'dayFirst' | 'monthFirst';

/** How the dates of each order are written, as people say it. */
export const orderTexts = { dayFirst: 'DD/MM/YYYY', monthFirst: 'MM/DD/YYYY' } as const;

export const dateOrders = Object.keys(orderTexts) as DateOrder[];

/** The dates of each order, with slashes or hyphens. */
export const orderFormats: Record<DateOrder, DateFormat> = {
  dayFirst: parseDateFormat(orderTexts.dayFirst) as DateFormat,
  monthFirst: parseDateFormat(orderTexts.monthFirst) as DateFormat,
};

/**
 * Finds the order that the dates of a file prove: 12/23/2006 has the month first. All dates of the file count together, because one program
 * wrote them.
 */
export class OrderProofs {
  #proved = new Set<DateOrder>();

  add(text: string): void {
    const order = orderProvedBy(text);
    if (order) this.#proved.add(order);
  }

  /** Null if no date proves an order, or two dates contradict each other. */
  get order(): DateOrder | null {
    const [order, contradiction] = this.#proved;
    return order && !contradiction ? order : null;
  }
}

/** A birthday without a year has slashes: 05-17 has the month first in every file. A year of two digits may be another part. */
function orderProvedBy(text: string): DateOrder | null {
  const found = withYear.exec(text) ?? withoutYear.exec(text);
  if (!found) return null;
  const { one, other, year = '2000' } = found.groups ?? {};
  const date = `${one}/${other}/${year}`;
  const [order, another] = dateOrders.filter((each) => orderFormats[each](date));
  return order && !another ? order : null;
}

const withYear = /^(?<one>\d{1,2})(?<separator>[-/])(?<other>\d{1,2})\k<separator>(?<year>\d{4})(?:[T ,].*)?$/;
const withoutYear = /^(?<one>\d{1,2})\/(?<other>\d{1,2})\/?$/;
