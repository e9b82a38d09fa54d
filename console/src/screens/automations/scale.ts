import type { PlannedMonth } from '@giftwire/sdk';

/** A budget that is far above all bars would make them flat: then its line is left out. */
const mostAboveBars = 2.5;

/** How high the chart is, and where its axis has figures. */
export function scaleOf(months: readonly Pick<PlannedMonth, 'amount' | 'available'>[]): {
  top: number;
  ticks: number[];
} {
  const highest = Math.max(...months.map(({ amount }) => amount), 1);
  const budgets = months.flatMap(({ available }) =>
    available !== null && available <= highest * mostAboveBars ? [available] : [],
  );
  const wanted = Math.max(highest, ...budgets);
  const power = 10 ** Math.floor(Math.log10(wanted / 2));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => wanted / one <= 3) ?? wanted;
  const count = Math.ceil(wanted / step);
  return { top: count * step, ticks: Array.from({ length: count + 1 }, (_, nth) => nth * step) };
}
