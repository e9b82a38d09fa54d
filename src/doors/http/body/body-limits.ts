declare module 'fastify' {
  interface FastifyContextConfig {
    /** How many values a body may have, if more than usual. */
    maxValues?: number;
  }
}

const kibibyte = 1024;
export const mebibyte = 1024 * kibibyte;

/** The limit of routes that set none: enough for every small body, even with each character written as an escape. */
export const usualBodyBytes = 256 * kibibyte;

export const usualMaxValues = 10_000;
/** A full order or group has up to 50,000, counting optional and unknown fields. */
export const largeMaxValues = 60_000;

export function sizeInWords(bytes: number): string {
  return bytes >= mebibyte ? `${bytes / mebibyte} MiB` : `${bytes / kibibyte} KiB`;
}
