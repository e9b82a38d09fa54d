/** Saves what the service streams, as a file of the browser. */
export async function saveFile(name: string, stream: Promise<ReadableStream<Uint8Array>>): Promise<void> {
  const blob = await new Response(await stream, { headers: { 'Content-Type': 'text/csv' } }).blob();
  const address = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  // The browser has begun to save it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
