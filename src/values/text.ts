/** The format `text`: what PostgreSQL holds exactly, which is anything but NUL and lone surrogates. */
export function isText(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}
