const empty = new Set(['meta', 'link', 'input', 'br', 'wbr', 'hr', 'img']);
const tag =
  /<(\/?)([a-z][a-z0-9]*)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*(\/?)>|<!doctype html>|<|&(?!(?:#\d+|#x[\da-f]+|\w+);)/gi;

/** The first place where HTML is not well-formed: an element that is not closed, or a character that is not escaped. */
export function findMarkupFault(html: string): string | null {
  const open: string[] = [];
  for (const { 0: found, 1: closes, 2: name, 4: closesItself, index } of html.matchAll(tag)) {
    if (found.toLowerCase() === '<!doctype html>') continue;
    if (name === undefined) return `"${html.slice(index, index + 60)}" is not escaped`;
    if (closes) {
      const last = open.pop();
      if (last !== name) return `</${name}> closes <${last}> before "${html.slice(index, index + 60)}"`;
    } else if (!closesItself && !empty.has(name)) open.push(name);
  }
  return open.length === 0 ? null : `<${open.at(-1)}> is not closed`;
}
