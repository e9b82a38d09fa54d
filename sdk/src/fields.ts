/** A field that the service has refused. */
export interface FieldAtFault {
  /** Where it is, for example `orderItems[2].recipient.email`. */
  path: string;
  /** What is wrong with it, for example `must be an email address`. */
  problem: string;
}

/** The fields that the header X-Invalid-Fields of an error names, each with what the message says about it. */
export function fieldsAtFault(header: string | null, message: string): FieldAtFault[] {
  const paths = header === null ? [] : header.split(', ').map(decoded);
  let rest = message;
  return paths.map((path, nth) => {
    const at = rest.indexOf(`${path} `);
    if (at < 0) return { path, problem: message };
    rest = rest.slice(at + path.length + 1);
    const next = paths.slice(nth + 1).map((other) => rest.indexOf(`; ${other} `));
    const end = Math.min(...next.filter((place) => place >= 0), rest.length);
    return { path, problem: rest.slice(0, end) };
  });
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
