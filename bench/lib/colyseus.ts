import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { end, freePort, run, start, untilAnswers } from './processes.ts';
import type { RoomServer } from './room-load.ts';

const versions = {
  '@colyseus/core': '0.18.17',
  '@colyseus/ws-transport': '0.18.4',
  '@colyseus/sdk': '0.18.4',
};
const mostMembers = 16;

/** Colyseus' own relay room, with its usual transport `ws`. */
const program = `
import { createServer } from 'node:http';
import { RelayRoom, Server } from '@colyseus/core';
import { WebSocketTransport } from '@colyseus/ws-transport';
const server = new Server({ greet: false, transport: new WebSocketTransport({ server: createServer() }) });
server.define('relay', RelayRoom, { maxClients: ${mostMembers} }).filterBy(['number']);
await server.listen(Number(process.env.PORT));
`;

/** The used part of its client. */
interface ColyseusRoom {
  send(type: string, message: unknown): void;
  onMessage(type: string, hear: (message: [from: string, text: string]) => void): void;
  leave(consented: boolean): Promise<unknown>;
}
interface ColyseusClient {
  joinOrCreate(name: string, options: object): Promise<ColyseusRoom>;
}

/** Installs Colyseus from npm into `workFolder`. Returns a function that starts it. */
export async function installColyseus(workFolder: string): Promise<() => Promise<RoomServer>> {
  const folder = join(workFolder, 'colyseus');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await writeFile(join(folder, 'server.js'), program);
  const { PATH = '' } = process.env;
  const wanted = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  const flags = ['install', '--omit=dev', '--no-audit', '--no-fund', '--ignore-scripts'];
  // With the user's environment: it may name a registry and certificates.
  await run('load', 'npm', [...flags, ...wanted], { cwd: folder });
  const { Client } = createRequire(join(folder, 'server.js'))('@colyseus/sdk') as {
    Client: new (address: string) => ColyseusClient;
  };
  return async () => {
    const port = await freePort();
    const child = start('server', process.execPath, [join(folder, 'server.js')], {
      cwd: folder,
      env: { PATH, PORT: String(port), NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await untilAnswers(`http://127.0.0.1:${port}/__healthcheck`, child);
    const client = new Client(`ws://127.0.0.1:${port}`);
    return {
      pid: child.pid ?? 0,
      async enter(number, hear) {
        const room = await client.joinOrCreate('relay', { number });
        room.onMessage('say', ([, text]) => hear(text));
        return {
          say: (text) => room.send('say', text),
          // An explicit leave, because the client would otherwise reconnect.
          async close() {
            await room.leave(true);
          },
        };
      },
      [Symbol.asyncDispose]: () => end(child),
    };
  };
}
