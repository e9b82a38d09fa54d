import type { Random } from '../support/random.ts';
import type { Scope } from '../support/scope.ts';
import type { Client } from './client.ts';
import type { Cluster } from './cluster.ts';
import type { Journal } from './journal.ts';
import type { Rig } from './rig.ts';

/** The environment of a fault. */
export interface Stage {
  scope: Scope;
  cluster: Cluster;
  rig: Rig;
  journal: Journal;
  client: Client;
  random: Random;
  /** Full sizes instead of quick ones. */
  long: boolean;
}

export interface Fault {
  name: string;
  /** What the fault does, and what must hold besides the checker's rules. */
  what: string;
  /** A PostgreSQL of its own, if the shared one will not do. */
  openCluster?: (scope: Scope, folder: string) => Promise<Cluster>;
  /** Whether it floods the machine or measures answers against it, so that nothing else may run beside it. */
  needsQuiet?: true;
  /** Leaves an API and a worker running for the checker, on the stage's rig or on the one that it returns. */
  run(stage: Stage): Promise<Rig | undefined>;
}

/** Thrown where a machine does not offer what a fault needs. */
export class Skipped extends Error {}
