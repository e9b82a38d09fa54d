import type { Ratio, Series } from './series.ts';

/** A rate is better the higher it is, a time and a size the lower. An amount is compared with nothing and has a unit. */
export type Kind = 'rate' | 'time' | 'size' | 'amount';

/** What the benchmark compares, and the value that it has to reach. */
export interface Goal {
  measure: string;
  comparedWith?: string;
  kind: Kind;
  target: number;
  atLeast: boolean;
  unit?: string;
  read: (series: Series) => Ratio;
  limit?: (series: Series) => string;
}
