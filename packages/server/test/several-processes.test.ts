import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { askUntil } from './ask-until.ts';
import { publishFiles, smallGame } from './files.ts';
import {
  answeredBy,
  asks,
  askUntilBoth,
  firstPids,
  type LogLine,
  startSeveral,
} from './several-processes.ts';

/** Returns the number of answers to a route, as the metrics count them. */
async function countOf(ask: ReturnType<typeof asks>, route: string): Promise<number> {
  const text = (await ask('/metrics')).text();
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith('spaceport_http_request_duration_seconds_count'));
  const counted = lines.filter((line) => line.includes(`route="${route}"`));
  return counted.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** All tests use one server, in this order: the last two kill one of its processes. */
describe('two processes of one server', () => {
  let several: Awaited<ReturnType<typeof startSeveral>>;
  let ask: ReturnType<typeof asks>;
  before(async () => {
    several = await startSeveral({ SEARCHES_PER_MINUTE: '2' });
    ask = asks(several);
  });
  after(() => several.close());

  it('count requests against one limit', async () => {
    const began = performance.now();
    const answers = await askUntilBoth(several, '/api/gallery', (index) =>
      ask(`/api/gallery?q=word${index}`),
    );
    const minutes = (performance.now() - began) / 60_000;
    const allowed = answers.filter(({ status }) => status === 200).length;
    const refused = answers.filter(({ status }) => status === 429).length;
    assert.equal(allowed + refused, answers.length);
    // The limit gives two at once and two a minute; two limits would give four at once.
    assert.ok(allowed >= 2 && allowed <= 2 + Math.floor(2 * minutes), `${allowed} in ${minutes} minutes`);
  });

  it('appear together in operators’ health and in the metrics', async () => {
    const operator = await several.test.creator('ops', { operator: true });
    const headers = { authorization: `Bearer ${operator.token}` };
    const { processes, browser } = (await ask('/api/operator/health', { headers })).json();
    assert.deepEqual(
      processes.map(({ number, runs_jobs, restarts }: Record<string, unknown>) => [
        number,
        runs_jobs,
        restarts,
      ]),
      [
        [1, true, 0],
        [2, false, 0],
      ],
    );
    // Values that both processes read from the database are counted once.
    const later = Date.now() + 3_600_000;
    await several.test.service.platform.database.transaction((tx) => tx.enqueue('told', 'of', later));
    const metrics = (await ask('/metrics')).text();
    assert.match(metrics, /^spaceport_jobs\{kind="told",state="later"\} 1$/mu);
    // The process without jobs also knows the state of the other process.
    assert.equal(browser.state, 'off');
  });

  it('show a change at once, whichever process made it and whichever is asked', async () => {
    const creator = await several.test.creator();
    const { space } = await publishFiles(creator, smallGame, undefined, { live: true });
    const path = `/api/gallery/${space.slug}`;
    for (let live = 404; live !== 200; ) live = (await ask(path)).status;
    const rounds = 20;
    let answeredByBoth = false;
    for (let round = 0; round < rounds || !answeredByBoth; round++) {
      const title = `Title ${round}`;
      const changed = await ask(`/api/spaces/${space.slug}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${creator.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ title }),
      });
      assert.equal(changed.status, 200, changed.text());
      const reads = await Promise.all(Array.from({ length: 6 }, () => ask(path)));
      assert.deepEqual(
        reads.map((read) => read.json().title),
        Array(6).fill(title),
      );
      answeredByBoth = (await answeredBy(several, path, (round + 1) * 6)).size === 2;
    }
  });

  it('replace one that is killed, and requests that failed meanwhile succeed on a second try', async () => {
    const { logged, lines } = several;
    const twice = (path: string) => ask(path).catch(() => ask(path));
    const [pid] = await firstPids(several);
    await Promise.all(Array.from({ length: 20 }, () => ask('/healthz')));
    assert.equal(await countOf(ask, '/healthz'), 20);
    process.kill(pid, 'SIGKILL');
    let isReplaced = false;
    const replaced = logged(
      (line) => line.msg === 'a process is ready' && line.process === 1 && line.pid !== pid,
    ).then(() => {
      isReplaced = true;
    });
    let asked = 0;
    const askFour = async () => {
      const answers = await Promise.all(Array.from({ length: 4 }, () => twice('/healthz')));
      for (const { status } of answers) assert.equal(status, 200);
      asked += 4;
    };
    await askUntil(askFour, () => isReplaced);
    await replaced;
    assert.equal(lines.filter((line) => line.msg === 'a process of the server has ended').length, 1);
    // Requests that the killed process had already reported stay counted.
    const counted = await countOf(ask, '/healthz');
    assert.ok(counted > 20 && counted <= 20 + 2 * asked, `${counted} of ${asked}`);
  });

  it('continue with the jobs when the one that runs them is killed', async () => {
    const { lines, logged } = several;
    const creator = await several.test.creator();
    const isFirst = ({ msg, process: number }: LogLine) => msg === 'a process is ready' && number === 1;
    const { pid } = lines.findLast(isFirst) ?? assert.fail('it was replaced before');
    process.kill(pid ?? 0, 'SIGKILL');
    await logged((line) => line.msg === 'a process of the server has ended' && line.pid === pid);
    // The remaining process accepts the publish. The replacement of the killed process judges it.
    const { space } = await publishFiles(creator, smallGame, undefined, { live: true });
    for (let live = 404; live !== 200; ) live = (await ask(`/api/gallery/${space.slug}`)).status;
    // The line that says so may come after the verdict.
    await askUntil(
      () => lines.findLast(isFirst)?.pid,
      (newest) => newest !== pid,
    );
  });
});
