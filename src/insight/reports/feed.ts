/** Pieces of a file on their way from the database to the client. Reading the database does not wait for the client. */
export class Feed<Piece> implements AsyncIterable<Buffer | Piece> {
  /** Whether the client takes no more pieces. */
  isLeft = false;
  /** How many bytes of lines wait for the client. */
  waitingBytes = 0;
  #pieces: (Buffer | Piece)[] = [];
  #end: { error: unknown } | null = null;
  #wake = () => {};

  push(piece: Buffer | Piece): void {
    this.#pieces.push(piece);
    this.waitingBytes += bytesOf(piece);
    this.#wake();
  }

  /** Ends the feed when the reading has ended. If the reading has failed, the pieces before are still delivered. */
  async endWith(reading: Promise<unknown>): Promise<void> {
    this.#end = await reading.then(
      () => ({ error: null }),
      (error: unknown) => ({ error }),
    );
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer | Piece> {
    try {
      for (;;) {
        while (this.#pieces.length > 0) yield this.#take();
        if (this.#end?.error) throw this.#end.error;
        if (this.#end) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      this.isLeft = true;
      this.#pieces = [];
    }
  }

  #take(): Buffer | Piece {
    const piece = this.#pieces.shift() as Buffer | Piece;
    this.waitingBytes -= bytesOf(piece);
    return piece;
  }
}

function bytesOf(piece: unknown): number {
  return Buffer.isBuffer(piece) ? piece.length : 0;
}
