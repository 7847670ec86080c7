import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { operations } from '@spaceport/contract/operations';
import { parse, parseAllDocuments } from 'yaml';
import { readCommand } from '../src/command-line.ts';
import { readConfig } from '../src/config.ts';
import { settings } from '../src/settings.ts';
import { readMetrics } from './metrics.ts';
import { startService } from './service.ts';
import './one-engine.ts';

const deploy = new URL('../../../deploy/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, deploy), 'utf8');
const readOwn = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** Variables that other programs read: Node, and the signer of S3 requests. */
const ofOthers = new Set(['NODE_ENV', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']);

type Environment = Record<string, string>;

/** Returns the variables of `NAME=value` lines. */
function linesOf(text: string): Environment {
  return Object.fromEntries(
    [...text.matchAll(/^([A-Z_0-9]+)=(.*)$/gmu)].map(([, name, value]) => [name, value]),
  );
}

/** Fills in variables as compose does from `.env`. Values that the operator must choose become `chosen`. */
function filled(text: string, environment: Environment): string {
  return text.replaceAll(/\$\{(\w+)(?::-([^}]*)|:\?)?\}/gu, (_, name: string, fallback?: string) => {
    assert.ok(name in environment, `${name} is not in .env.example`);
    return environment[name] || (fallback ?? 'chosen');
  });
}

interface Compose {
  services: Record<string, { environment?: Environment; command?: string[]; image?: string }>;
}

function compose(): Compose['services'] {
  const chosen = linesOf(read('compose/.env.example'));
  const { services } = parse(read('compose/compose.yaml'), { merge: true }) as Compose;
  const fill = (environment: Environment) =>
    Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filled(value, chosen)]));
  return Object.fromEntries(
    Object.entries(services).map(([name, service]) => [
      name,
      { ...service, environment: fill(service.environment ?? {}) },
    ]),
  );
}

interface Manifest {
  kind: string;
  data?: Environment;
  stringData?: Environment;
  spec?: {
    template?: {
      spec: {
        terminationGracePeriodSeconds: number;
        containers: { args: string[]; env?: { name: string; value?: string }[] }[];
      };
    };
  };
}

const manifests = ['settings', 'serve', 'work', 'ingress'].flatMap((name) =>
  parseAllDocuments(read(`kubernetes/${name}.yaml`)).map((each) => each.toJS() as Manifest),
);

/** Returns the variables that each file sets, by the name of the file. */
function environments(): Record<string, Environment> {
  const unit = [...read('systemd/spaceport.service').matchAll(/^Environment=(.*)$/gmu)];
  const image = /^ENV (.*)$/mu.exec(read('Dockerfile'))?.[1] ?? '';
  const ours = Object.entries(compose()).filter(([, { image: name }]) => name === 'spaceport');
  assert.deepEqual(
    ours.map(([name]) => name),
    ['node-1', 'node-2', 'worker'],
  );
  return {
    ...Object.fromEntries(ours.map(([name, { environment = {} }]) => [`compose: ${name}`, environment])),
    systemd: linesOf(unit.flatMap(([, words = '']) => words.split(' ')).join('\n')),
    Dockerfile: linesOf(image.split(' ').join('\n')),
    kubernetes: Object.assign({}, ...manifests.map(({ data, stringData }) => ({ ...data, ...stringData }))),
  };
}

describe('deploy/', () => {
  for (const [name, environment] of Object.entries(environments())) {
    it(`sets only settings that exist, to valid values (${name})`, () => {
      assert.ok(Object.keys(environment).length > 0);
      for (const [setting, value] of Object.entries(environment)) {
        assert.ok(setting in settings || ofOthers.has(setting), `${setting} is no setting`);
        assert.equal(typeof value, 'string', setting);
      }
      readConfig(environment);
    });
  }

  it('uses every variable of .env.example in the compose file', () => {
    const used = read('compose/compose.yaml');
    const names = Object.keys(linesOf(read('compose/.env.example')));
    assert.ok(names.length > 10);
    for (const name of names) assert.match(used, new RegExp(`\\$\\{${name}[:}]`, 'u'), name);
  });

  it('gives each of several nodes an address at which the others reach it', () => {
    const nodes = Object.entries(compose()).filter(([, { command }]) => command?.[0] === 'serve');
    assert.equal(nodes.length, 2);
    for (const [name, { environment }] of nodes) assert.equal(environment?.NODE_ADDRESS, `${name}:3000`);
    const pods = manifests.flatMap(({ spec }) => spec?.template?.spec.containers ?? []);
    const [serving] = pods.filter(({ args }) => args[0] === 'serve');
    assert.equal(serving?.env?.find(({ name }) => name === 'NODE_ADDRESS')?.value, '$(POD_IP):3000');
  });

  it('starts only commands that exist', () => {
    const commands = [
      ...Object.values(compose()).flatMap(({ image, command }) => (image === 'spaceport' ? [command] : [])),
      ...manifests.flatMap(({ spec }) => spec?.template?.spec.containers.map(({ args }) => args) ?? []),
      JSON.parse(/^CMD (.*)$/mu.exec(read('Dockerfile'))?.[1] ?? ''),
    ];
    assert.deepEqual(
      commands.map((words) => readCommand(words)).map((command) => command.name === 'start' && command.role),
      ['serve', 'serve', 'work', 'serve', 'work', 'all'],
    );
  });

  it('names the server program by its path in the archive', () => {
    const program = 'packages/server/bin/spaceport-server.mjs';
    readFileSync(new URL(`../${program}`, deploy));
    assert.ok(read('Dockerfile').includes(`"/spaceport/${program}"`));
    assert.ok(read('systemd/spaceport.service').includes(`/opt/spaceport/${program}\n`));
  });

  it('sets the same size for new objects in the heap in every way to start the server', () => {
    const flag = '--max-semi-space-size=16';
    const starts = [
      read('Dockerfile'),
      read('systemd/spaceport.service'),
      ...['package.json', 'packages/server/bin/spaceport-server.mjs'].map((path) =>
        readFileSync(new URL(`../${path}`, deploy), 'utf8'),
      ),
    ];
    for (const text of starts) assert.ok(text.includes(flag), text);
  });

  it('uses only metrics that /metrics shows, and all of ours', async (context) => {
    // Metrics of backups exist only on nodes that take backups. This node takes none.
    const service = await startService({ role: 'serve', environment: { BACKUP_TO: './nowhere' } });
    context.after(() => service.close());
    const { measured } = await readMetrics(service);
    const named = ['observability/alerts.yml', 'observability/dashboard.json'].flatMap(
      (path) => read(path).match(/\b(?:spaceport|nodejs|process)_\w+(?=[{[) ]|$)/gmu) ?? [],
    );
    assert.ok(new Set(named).size > 10);
    for (const name of named) {
      const base = name.replace(/_(?:bucket|count|sum)$/u, '');
      assert.ok(measured.has(name) || measured.has(base), `${name} is not measured`);
    }
    for (const name of measured)
      if (name.startsWith('spaceport_'))
        assert.ok(
          named.some((each) => each.startsWith(name)),
          `${name} is on no dashboard`,
        );
  });

  it('names only existing operations in the alerts', () => {
    const [, waiting = ''] = /operation!~"([^"]*)"/u.exec(read('observability/alerts.yml')) ?? [];
    const ids = operations.map(({ id }): string => id);
    for (const id of waiting.split('|').filter((each) => each !== '')) assert.ok(ids.includes(id), id);
    assert.ok(waiting.includes('|'));
  });

  it('names the S3 server that the tests use', () => {
    const [, version] = /versity\/versitygw (v\S+)/u.exec(readOwn('versitygw/go.mod')) ?? [];
    assert.equal(compose().s3?.image, `versity/versitygw:${version}`);
  });

  // promtool runs them (the first line of the file says how); npm brings no promtool.
  it('has a test that each alert fires, and one that it does not', () => {
    const { groups } = parse(read('observability/alerts.yml')) as {
      groups: { rules: { alert: string }[] }[];
    };
    const { tests } = parse(read('observability/alerts.test.yml')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
    };
    const tried = tests.flatMap(({ alert_rule_test: each }) => each);
    const alertsOf = (fires: boolean) =>
      new Set(
        tried.flatMap(({ alertname, exp_alerts }) => (exp_alerts.length > 0 === fires ? alertname : [])),
      );
    const alerts = new Set(groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)));
    assert.ok(alerts.size > 10);
    assert.deepEqual(alertsOf(true), alerts);
    assert.deepEqual(alertsOf(false), alerts);
  });
});
