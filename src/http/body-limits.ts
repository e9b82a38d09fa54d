declare module 'fastify' {
  interface FastifyContextConfig {
    /** How many values a body may have, where it is more than usual. */
    maxValues?: number;
  }
}

const [kibibyte, mebibyte] = [1024, 1024 * 1024];

/** Holds every body but an order, a user and a group, with each character written as an escape. */
export const usualBodyBytes = 256 * kibibyte;
export const userBodyBytes = mebibyte;
/** Holds as many members as one request may change, each with its address and name. */
export const groupBodyBytes = 4 * mebibyte;

export const usualMaxValues = 10_000;
/** A full order and a full group have up to 50,000 with every field that is sent along. */
export const largeMaxValues = 60_000;

export function sizeInWords(bytes: number): string {
  return bytes >= mebibyte ? `${bytes / mebibyte} MiB` : `${bytes / kibibyte} KiB`;
}
