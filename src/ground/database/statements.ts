/** What a semicolon may stand in without ending a statement: comments, texts, quoted names, bodies of functions. */
const opaque = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1/;
const piece = new RegExp(`${opaque.source}|;|[^;]`, 'g');
const comment = /--[^\n]*|\/\*[\s\S]*?\*\//;
/** As `piece`, so that what looks like a comment in a text stays. */
const commentOrText = new RegExp(opaque.source, 'g');

/** The statements of a file, without their semicolons. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let statement = '';
  for (const [text] of sql.matchAll(piece)) {
    if (text !== ';') statement += text;
    else {
      statements.push(statement.trim());
      statement = '';
    }
  }
  return [...statements, statement.trim()].filter((text) => withoutComments(text) !== '');
}

/** The statement on one line. */
export function withoutComments(statement: string): string {
  return statement
    .replace(commentOrText, (text) => (comment.exec(text)?.index === 0 ? ' ' : text))
    .replace(/\s+/g, ' ')
    .trim();
}
