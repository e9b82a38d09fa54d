import type { Follow, Operation, Parameter } from './document.ts';
import { exampleOf, parameterExample } from './example.ts';

/** The address that the demo company answers at; the page's script puts its own in place of it. */
export const exampleOrigin = 'http://127.0.0.1:8080';

/** A call of the operation with what it requires, to be pasted into a terminal. */
export function curlOf(operation: Operation, follow: Follow): string {
  const { method, path, parameters = [], requestBody } = operation;
  const parts = [
    `curl -sS ${method === 'GET' || method === 'POST' ? '' : `-X ${method} `}${quoted(path, parameters, follow)}`,
  ];
  parts.push('-H "Authorization: Bearer $GIFTWIRE_TOKEN"');
  for (const one of parameters.filter(({ in: place, required }) => place === 'header' && required))
    parts.push(`-H "${one.name}: ${parameterExample(one, follow)}"`);
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type && media) parts.push(`-H "Content-Type: ${type}"`, `-d '${bodyText(exampleOf(media, follow))}'`);
  else if (method === 'POST') parts.push('-X POST');
  return parts.join(' \\\n  ');
}

function quoted(path: string, parameters: Parameter[], follow: Follow): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    return (parameter && parameterExample(parameter, follow)) || `{${name}}`;
  });
  return exampleOrigin + filled;
}

/** JSON as it can stand between single quotes of a shell. */
function bodyText(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll("'", "'\\''");
}
