/** An id in decimal digits, as the service writes it; null for any other text. */
export function readId(text: string): number | null {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}
