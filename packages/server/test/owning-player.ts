import { createClient } from '@spaceport/client/client';
import { accountPlayer, type PlayingVisitor } from './played.ts';
import type { Persona, TestService } from './service.ts';

/** The headers of a player's browser. A request without them counts as a program's. */
export const browser = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};

/** Returns an account that publishes, and plays in its browser. */
export async function owningPlayer(
  service: TestService,
): Promise<{ player: PlayingVisitor; persona: Persona }> {
  const handle = `own${Math.random().toString(36).slice(2, 10)}`;
  const player = await accountPlayer(service, handle);
  const body = { name: 'test', scopes: ['publish', 'boards', 'moderate'] };
  const made = await player.call('POST', '/api/account/tokens', body);
  const { token } = made.json();
  const persona: Persona = {
    handle,
    token,
    client: createClient({ baseUrl: service.baseUrl, token, retry: false }),
    call: (method, path, sent, headers = {}) => player.call(method, path, sent, headers),
  };
  return { player, persona };
}
