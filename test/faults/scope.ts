/** What is opened last is closed first; once closed, it stays closed, and what is opened after that is closed at once. */
export class Scope {
  #steps: (() => Promise<unknown>)[] = [];
  #closing: Promise<void> | null = null;
  /** Whether folders stay, with the logs in them. */
  readonly keepsFolders: boolean;

  constructor(keepsFolders: boolean) {
    this.keepsFolders = keepsFolders;
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

/** One thing that cannot be closed must not keep the others open. */
async function attempt(step: () => Promise<unknown>): Promise<void> {
  await step().catch((error: Error) => console.error(`While closing: ${error.message}`));
}
