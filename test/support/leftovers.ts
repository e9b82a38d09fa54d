/** The kinds of what keeps the process alive and did not before. */
export function openedSince(before: readonly string[]): string[] {
  const known = [...before];
  return process.getActiveResourcesInfo().filter((kind) => {
    const index = known.indexOf(kind);
    if (index >= 0) known.splice(index, 1);
    return index < 0;
  });
}

/** Gives the process this environment, and nothing else of its own. */
export function replaceEnvironment(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
}
