import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

/** A mail server that keeps the messages that it gets. */
export interface SmtpSink {
  readonly url: string;
  readonly messages: string[];
  /** How many of the next messages it refuses, as a busy server does. */
  refuseNext: number;
  /** While it is true, it takes no recipient, as a server that does not know them. */
  knowsNobody: boolean;
  /** While it is true, the answer to a greeting has one line more each second, and never ends. */
  isSlow: boolean;
  /** Resolves at the first greeting while it is slow. */
  readonly greeted: Promise<void>;
  close(): Promise<void>;
}

/** Starts the sink. It supports the few commands of RFC 5321 that are needed to send a message. */
export async function startSmtpSink(): Promise<SmtpSink> {
  const sockets = new Set<Socket>();
  const greeted = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    socket.write('220 sink\r\n');
    let received = '';
    let reading = false;
    socket.on('data', (chunk) => {
      received += chunk.toString();
      for (;;) {
        const end = received.indexOf(reading ? '\r\n.\r\n' : '\r\n');
        if (end === -1) return;
        const part = received.slice(0, end);
        received = received.slice(end + (reading ? 5 : 2));
        if (reading) {
          reading = false;
          sink.messages.push(part);
          socket.write('250 kept\r\n');
        } else if (/^DATA/iu.test(part)) {
          reading = true;
          socket.write('354 go on\r\n');
        } else if (/^MAIL/iu.test(part) && sink.refuseNext > 0) {
          sink.refuseNext -= 1;
          socket.write('451 busy\r\n');
        } else if (/^RCPT/iu.test(part) && sink.knowsNobody) {
          socket.write('550 no such user\r\n');
        } else if (/^EHLO/iu.test(part) && sink.isSlow) {
          greeted.resolve();
          const more = setInterval(() => socket.write('250-wait\r\n'), 1_000);
          socket.once('close', () => clearInterval(more));
        } else if (/^QUIT/iu.test(part)) {
          socket.end('221 bye\r\n');
        } else {
          socket.write('250 ok\r\n');
        }
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sink: SmtpSink = {
    url: `smtp://127.0.0.1:${port}`,
    messages: [],
    refuseNext: 0,
    knowsNobody: false,
    isSlow: false,
    greeted: greeted.promise,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return sink;
}
