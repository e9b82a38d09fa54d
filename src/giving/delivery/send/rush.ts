/** A batch of fulfilment with this many orders means that orders are waiting. */
const largeBatch = 16;
const lastsMs = 500;

/**
 * Knows whether this process is fulfilling orders as fast as it can. Writing and sending an email takes a process much longer than
 * fulfilling an order, and an email can wait some seconds: so the sender gives way.
 */
export class Rush {
  #until = 0;

  /** Is told of each batch of orders that was fulfilled. */
  note(orders: number): void {
    if (orders >= largeBatch) this.#until = performance.now() + lastsMs;
  }

  isOn(): boolean {
    return performance.now() < this.#until;
  }
}
