import { workspaceId } from './client.ts';

/** Saves what the service sends as a file of the person. */
export async function download(name: string, content: ReadableStream<Uint8Array> | string): Promise<void> {
  const text = typeof content === 'string' ? new Blob([content], { type: 'text/csv' }) : await blobOf(content);
  const url = URL.createObjectURL(text);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

function blobOf(content: ReadableStream<Uint8Array>): Promise<Blob> {
  return new Response(content as ReadableStream<Uint8Array<ArrayBuffer>>).blob();
}

/** Where the document with these gifts opens, to be printed. A link sends no header, so the workspace is part of it. */
export function printAddress(query: Record<string, string>): string {
  return `/api/v1/gifts/print?${new URLSearchParams({ ...query, workspaceId: String(workspaceId) })}`;
}
