/** What is left to do for a workspace after its turn: nothing, more at once, or more after a pause. */
export type Left = 'nothing' | 'more' | { afterMs: number; untilThen?: 'mayBeWoken' | 'pauses' };

/** Waits for something that is not up to this process. Meanwhile another workspace takes its turn. */
export type StepAside = <T>(waiting: Promise<T>) => Promise<T>;

export interface TurnsOptions {
  /** How many workspaces have their turn at the same time. */
  atATime: number;
  /** Does one piece of a workspace's work, small enough that other workspaces can wait for it. Never throws. */
  take: (workspaceId: number, stepAside: StepAside) => Promise<Left>;
}

/**
 * Workspaces take turns. Each has at most one turn under way, and queues again after it if more is left. Every other turn
 * goes to a workspace that was just woken, before those with a backlog. So a small order waits for one or two turns, however
 * large the backlogs of other workspaces are.
 */
export class Turns {
  readonly #options: TurnsOptions;
  /** Both in the order of arrival. */
  readonly #woken = new Set<number>();
  readonly #goingOn = new Set<number>();
  readonly #pausing = new Map<number, { timer: NodeJS.Timeout; mayBeWoken: boolean }>();
  /** Workspaces whose turn is under way, and whether each was woken again during it. */
  readonly #underWay = new Map<number, boolean>();
  /** How many of these have stepped aside. */
  #aside = 0;
  #wokenWasLast = false;
  #stopped = false;
  #idle: (() => void)[] = [];

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  wake(workspaceId: number): void {
    const pause = this.#pausing.get(workspaceId);
    if (this.#stopped || this.#goingOn.has(workspaceId) || pause?.mayBeWoken === false) return;
    if (this.#underWay.has(workspaceId)) {
      this.#underWay.set(workspaceId, true);
      return;
    }
    clearTimeout(pause?.timer);
    this.#pausing.delete(workspaceId);
    this.#woken.add(workspaceId);
    this.#fill();
  }

  /** Resolves when no workspace has or waits for a turn. */
  async idle(): Promise<void> {
    if (!this.#isIdle()) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Begins no further turn, and resolves when those under way have ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { timer } of this.#pausing.values()) clearTimeout(timer);
    for (const waiting of [this.#woken, this.#goingOn, this.#pausing]) waiting.clear();
    await this.idle();
  }

  #isIdle(): boolean {
    return this.#woken.size + this.#goingOn.size + this.#pausing.size + this.#underWay.size === 0;
  }

  #fill(): void {
    while (this.#underWay.size - this.#aside < this.#options.atATime) {
      const next = this.#next();
      if (next === undefined) return;
      void this.#run(next);
    }
  }

  #next(): number | undefined {
    const [first, second] = this.#wokenWasLast ? [this.#goingOn, this.#woken] : [this.#woken, this.#goingOn];
    const from = first.size > 0 ? first : second;
    const [next] = from;
    if (next === undefined) return undefined;
    from.delete(next);
    this.#wokenWasLast = from === this.#woken;
    return next;
  }

  async #run(workspaceId: number): Promise<void> {
    this.#underWay.set(workspaceId, false);
    const left = await this.#options.take(workspaceId, (waiting) => this.#stepAside(waiting));
    const wasWoken = this.#underWay.get(workspaceId) === true;
    this.#underWay.delete(workspaceId);
    if (!this.#stopped) this.#queue(workspaceId, left, wasWoken);
    this.#fill();
    if (this.#isIdle()) for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #stepAside<T>(waiting: Promise<T>): Promise<T> {
    this.#aside++;
    this.#fill();
    try {
      return await waiting;
    } finally {
      this.#aside--;
    }
  }

  #queue(workspaceId: number, left: Left, wasWoken: boolean): void {
    if (left === 'more') this.#goingOn.add(workspaceId);
    else if (left !== 'nothing') this.#pause(workspaceId, left.afterMs, left.untilThen !== 'pauses');
    else if (wasWoken) this.#woken.add(workspaceId);
  }

  #pause(workspaceId: number, ms: number, mayBeWoken: boolean): void {
    const end = () => {
      this.#pausing.delete(workspaceId);
      this.wake(workspaceId);
    };
    this.#pausing.set(workspaceId, { timer: setTimeout(end, ms), mayBeWoken });
  }
}
