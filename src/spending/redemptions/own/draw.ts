import { inUnits, sumOf, unitsOfOne } from '../../../ground/values/money.ts';

/** What a gift has left, and what of it is used. */
export interface GiftSource {
  id: number;
  left: number;
}

export interface GiftDraw<From extends GiftSource> {
  from: From;
  amount: number;
}

/** Uses the sources one after the other until there is enough. Null: all together have less. */
export function drawInTurn<From extends GiftSource>(sources: readonly From[], amount: number): GiftDraw<From>[] | null {
  const draws: GiftDraw<From>[] = [];
  let missing = inUnits(amount);
  for (const from of sources) {
    if (missing === 0) break;
    const units = Math.min(missing, inUnits(from.left));
    draws.push({ from, amount: units / unitsOfOne });
    missing -= units;
  }
  return missing === 0 ? draws : null;
}

export function leftOfAll(sources: readonly GiftSource[]): number {
  return sumOf(sources.map(({ left }) => left));
}

/** Whether a draw leaves something in its source. */
export function isPart({ from, amount }: GiftDraw<GiftSource>): boolean {
  return inUnits(amount) !== inUnits(from.left);
}

/** The amounts next to one that use sources up, one after the other: the greatest below it, and the least above it. */
export function wholeAmounts(sources: readonly GiftSource[], amount: number): number[] {
  const sums = sources.map((_, nth) => leftOfAll(sources.slice(0, nth + 1)));
  const below = sums.findLast((sum) => sum < amount);
  const above = sums.find((sum) => sum > amount);
  return [below, above].filter((sum) => sum !== undefined);
}
