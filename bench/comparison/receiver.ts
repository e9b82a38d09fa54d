import { createServer } from 'node:http';

/** Takes what is posted to it. Posts to /hang get no answer. */
const { PORT } = process.env;

createServer((request, response) => {
  request.resume();
  if (request.url !== '/hang') request.on('end', () => response.writeHead(204).end());
}).listen(Number(PORT), '127.0.0.1');
