// The server of a dice game. It rolls the dice itself, so that nobody can post a made-up roll.
import { randomInt, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { tokenReader } from './who-plays.mjs';

const { SERVICE = 'http://localhost:3000', SPACE, SECRET, PORT = '8080' } = process.env;
const whoPlays = tokenReader({ service: SERVICE, space: SPACE });

/**
 * Takes a player token from the page, and posts a roll to the board for the player that the token names.
 * Returns the status and the body of the answer.
 */
async function play(request) {
  if (!(Number(request.headers['content-length']) <= 4_000))
    return [413, { error: 'that is no player token' }];
  const player = await whoPlays(await text(request));
  if (!player) return [401, { error: 'the player token does not hold' }];
  const score = randomInt(1, 7);
  const answer = await fetch(`${SERVICE}/api/v1/scores`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${SECRET}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({
      board: 'throws',
      player: player.handle,
      score,
      sandbox: player.env === 'sandbox',
    }),
  });
  return [answer.status, await answer.json()];
}

const server = createServer(async (request, response) => {
  const [status, body] = await play(request).catch((error) => [502, { error: String(error) }]);
  response.writeHead(status, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
  response.end(JSON.stringify(body));
});
server.listen(Number(PORT), () => console.log(`http://localhost:${server.address().port}`));
