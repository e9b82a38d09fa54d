/** A key that is made of a label: `T-shirt size` is tShirtSize. Empty for a label without Latin letters. */
export function keyOf(label: string): string {
  const words = label
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  const joined = words
    .map((word, nth) => (nth === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()))
    .join('');
  return joined.replace(/^[0-9]+/, '').slice(0, 40);
}
