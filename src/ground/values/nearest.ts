/** The known name that a mistyped one probably means; null if none is close. Case, hyphens and underscores do not count. */
export function nearestName(written: string, known: readonly string[]): string | null {
  const name = plain(written);
  let nearest: string | null = null;
  let least = Math.ceil(name.length / 3) + 1;
  for (const one of known) {
    const distance = editDistance(name, plain(one));
    if (distance < least) [nearest, least] = [one, distance];
  }
  return nearest;
}

function plain(name: string): string {
  return name.replace(/[-_]/g, '').toLowerCase();
}

/** How many characters were inserted, left out, replaced or swapped with their neighbour. */
function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const replaced = (last[column - 1] as number) + (isSame ? 0 : 1);
      const swapped = isSwapped ? (before[column - 2] as number) + 1 : replaced;
      current[column] = Math.min(replaced, swapped, (last[column] as number) + 1, (current[column - 1] as number) + 1);
    }
    [before, last] = [last, current];
  }
  return last[other.length] as number;
}
