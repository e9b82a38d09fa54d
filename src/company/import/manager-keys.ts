/** A longer text has no names in brackets: millions of them would be searched for. */
export const longestWithBrackets = 1_000;

/** The texts that may name a manager, in the order of trying: `Ada Lovelace (17)` is the person with the number 17. */
export function managerKeys(manager: string): string[] {
  if (manager.length > longestWithBrackets || !/[(<[]/.test(manager)) return [manager];
  const inside = [...manager.matchAll(/[(<[]([^()<>[\]]+)[)>\]]/g)].map(([, key = '']) => key.trim());
  return [manager, ...inside.reverse()];
}
