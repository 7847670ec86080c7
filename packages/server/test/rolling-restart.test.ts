import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeArena, makePlayers } from './arena.ts';
import { type RawAnswer, rawRequest } from './raw-http.ts';
import { type RollingNodes, startRolling } from './rolling.ts';
import { openRoundRobin } from './round-robin.ts';
import './several-nodes.ts';
import { startService, type TestService } from './service.ts';

/**
 * The number of callers. Each sends its next request as soon as the last one is answered, and never repeats a
 * request.
 */
const callers = 6;

describe('two nodes that are restarted one after the other', () => {
  let service: TestService;
  let nodes: RollingNodes;
  before(async () => {
    service = await startService();
    const { BASE_URL, PLAY_HOST, PREVIEW_HOST } = service.service.config;
    // A drain ends after a second without new connections, which a busy machine may reach late.
    const shared = {
      BASE_URL,
      PLAY_HOST,
      PREVIEW_HOST,
      DRAIN_SECONDS: '60',
      PLAYER_SCORES_PER_MINUTE: '1000000',
    };
    nodes = await startRolling(await openRoundRobin(), { ...service.environment, ...shared });
  });
  after(async () => {
    await nodes.close();
    await nodes.proxy.close();
    await service.close();
  });

  it('answer every request', async () => {
    const arena = await makeArena(service, [{ key: 'points' }]);
    const [player = ''] = await makePlayers(service, 1);
    const { port } = nodes.proxy;
    const asks: ((turn: number) => Promise<RawAnswer>)[] = [
      () => rawRequest(port, `${service.baseUrl}/api/gallery`),
      () => rawRequest(port, `${service.baseUrl}/s/${arena.slug}`),
      () => rawRequest(port, service.service.platform.urls.live(arena.slug)),
      (turn) =>
        rawRequest(port, `${service.baseUrl}/api/v1/scores`, {
          method: 'POST',
          headers: { authorization: `Bearer ${arena.secret}`, 'content-type': 'application/json' },
          body: JSON.stringify({ board: 'points', player, score: turn }),
        }),
    ];
    let isOver = false;
    let answered = 0;
    const call = async (caller: number) => {
      for (let turn = caller; !isOver; turn++) {
        const answer = await asks[turn % asks.length]?.(turn);
        // An overloaded node may answer 503, whether it is ending or not.
        if (answer?.status === 503 && answer.headers['retry-after'] !== undefined) continue;
        assert.ok(answer && answer.status < 300, `${answer?.status} ${answer?.text()}`);
        answered++;
      }
    };
    const calling = Array.from({ length: callers }, (_, caller) => call(caller));
    await nodes.restartAll().finally(() => {
      isOver = true;
    });
    await Promise.all(calling);
    assert.ok(answered > callers);
  });
});
