/** Close functions, run in reverse order. After closing, a new one is run at once. */
export class Scope {
  #steps: (() => Promise<unknown>)[] = [];
  #closing: Promise<void> | null = null;
  /** Whether temporary folders with logs are kept. */
  readonly keepsFolders: boolean;
  /** Multiplies every time limit, for a shared machine. */
  readonly patience: number;

  constructor(keepsFolders: boolean, patience: number) {
    this.keepsFolders = keepsFolders;
    this.patience = patience;
  }

  async defer(step: () => Promise<unknown>): Promise<void> {
    if (this.#closing) await attempt(step);
    else this.#steps.push(step);
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    for (const step of this.#steps.reverse()) await attempt(step);
  }
}

/** A close function that fails does not stop the others. */
async function attempt(step: () => Promise<unknown>): Promise<void> {
  await step().catch((error: Error) => console.error(`While closing: ${error.message}`));
}
