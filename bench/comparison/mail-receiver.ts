import { createServer } from 'node:http';
import { SMTPServer } from 'smtp-server';

/** A mail server that takes everything and keeps nothing. It answers over HTTP too, because that tells that it runs. */
const { PORT, SMTP_PORT } = process.env;

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  logger: false,
  onData(stream, _session, callback) {
    stream.resume();
    stream.on('end', () => callback());
  },
});
server.listen(Number(SMTP_PORT), '127.0.0.1');
createServer((_request, response) => response.end()).listen(Number(PORT), '127.0.0.1');
