import { resolve } from 'node:path';
import { maxPlayerTokenSeconds } from '@spaceport/contract/players';
import { accountSettings } from './account-settings.ts';
import { backupSettings } from './backup-settings.ts';
import { collectorSettings } from './collector-settings.ts';
import {
  address,
  bytes,
  count,
  days,
  fetchAllowList,
  flag,
  host,
  oneOf,
  optional,
  origin,
  pathPrefix,
  port,
  processes,
  proxies,
  s3Url,
  seconds,
  text,
  waitSeconds,
} from './config-parsers.ts';
import { contactSettings } from './contact-settings.ts';
import { databaseSettings } from './database-settings.ts';
import { mailSettings } from './mail-settings.ts';
import { memorySettings } from './memory-settings.ts';
import { type Setting, setting } from './setting.ts';
import { togetherSettings } from './together-settings.ts';

const MiB = 1024 * 1024;
const hour = 3600;
export const defaultPort = '3000';
const day = 24 * hour;

/**
 * Every setting: its name in the environment, how it is read, its default and its meaning. The start, `config
 * --print` and the table in docs/self-hosting.md use this list. All settings are optional.
 */
export const settings = {
  PORT: setting(port, defaultPort, 'Port to listen on; 0 takes a free one.'),
  HOST: setting(text, '127.0.0.1', 'Address to listen on; 0.0.0.0 for every interface.'),
  BASE_URL: setting(
    origin,
    ({ PORT }) => `http://localhost:${PORT}`,
    'Address of the app as its users type it.',
  ),
  PLAY_HOST: setting(
    host,
    ({ PORT }) => `play.localhost:${PORT}`,
    'Host whose subdomains serve live spaces: `{slug}.PLAY_HOST`. In production it needs its own registrable domain.',
  ),
  PREVIEW_HOST: setting(
    host,
    ({ PORT }) => `temp.localhost:${PORT}`,
    'Host whose subdomains serve previews and unlisted pages. In production it needs its own registrable domain.',
  ),
  DATA_DIR: setting(
    (value: string) => resolve(value),
    './data',
    'Folder for the embedded database, the files and unsent mail.',
  ),
  ...databaseSettings,
  PROCESSES: setting(
    processes,
    '1',
    'Processes that answer requests on the one port: a number, or auto for one per core. More than one needs PostgreSQL.',
  ),
  BLOB_STORE: setting(optional(s3Url), '', 's3://bucket?endpoint=…; empty for a folder in DATA_DIR.', {
    secret: true,
  }),
  ...mailSettings,
  ...contactSettings,
  CLAMD: setting(optional(address), '', 'host:port of a clamd that scans what is published; empty for none.'),
  BROWSER: setting(
    text,
    'auto',
    'Chromium for clips and page checks: a path, `auto` for the newer of the machine’s and npm’s, `npm` for npm’s, or `none`.',
  ),
  BROWSER_SANDBOX: setting(
    flag,
    'on',
    'off opens pages without the sandbox of Chromium, for machines that do not allow it: a page that breaks out of the browser can then attack the machine.',
  ),
  BROWSER_MAX_BYTES: setting(
    bytes,
    String(1536 * MiB),
    'Memory that one browser may use with all its processes. A page that needs more is left unjudged.',
  ),
  FETCH_ALLOW: setting(
    fetchAllowList,
    '',
    'Comma-separated host:port list of private addresses that listing and webhooks may reach; for tests and intranets.',
  ),
  TRUST_PROXY: setting(
    proxies,
    'false',
    'How many reverse proxies are in front of the service (`true` is one), or a comma-separated list of their addresses and networks. The client is the address that the first of them saw, from X-Forwarded-For.',
  ),
  METRICS_TOKEN: setting(
    optional(text),
    '',
    'Bearer token for /metrics. Empty: only requests from this machine, through no proxy, may read it.',
    { secret: true },
  ),
  ...collectorSettings,
  LOG_LEVEL: setting(
    oneOf(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
    'info',
    'trace, debug, info, warn, error or silent.',
  ),
  X_ACCEL_REDIRECT: setting(
    optional(pathPrefix),
    '',
    'Path prefix of an nginx internal location over the blob folder; nginx then sends the large files.',
  ),
  ...memorySettings,
  CONNECTIONS_PER_ADDRESS: setting(
    count(0),
    '512',
    'Connections one address may hold at once, 0 for any number. Behind a proxy the service does not count them: limit them in the proxy.',
  ),
  UPLOAD_LINK_SECONDS: setting(seconds, String(2 * hour), 'Lifetime of an upload link.'),
  PREVIEW_LINK_SECONDS: setting(seconds, String(day), 'Lifetime of a preview link.'),
  CLAIM_TOKEN_SECONDS: setting(
    seconds,
    String(7 * day),
    'Lifetime of a claim token and of its unlisted page.',
  ),
  RESTORE_SECONDS: setting(
    seconds,
    String(7 * day),
    'How long a deleted space can be restored before it is gone for good.',
  ),
  API_TOKEN_SECONDS: setting(seconds, String(90 * day), 'Lifetime of an API token.'),
  DEVICE_CODE_SECONDS: setting(seconds, '900', 'Lifetime of a device code.'),
  SESSION_SECONDS: setting(seconds, String(30 * day), 'How long a browser stays signed in.'),
  PLAYER_TOKEN_SECONDS: setting(
    count(1, maxPlayerTokenSeconds),
    String(maxPlayerTokenSeconds),
    'Lifetime of a player token; an hour at most.',
  ),
  PLAY_SESSION_SECONDS: setting(
    seconds,
    String(day),
    'How long a player may post in one play session of a space, or in one run.',
  ),
  PLAYER_KEY_SECONDS: setting(
    seconds,
    String(30 * day),
    'How long one key signs player tokens before the next one does; two hours at least.',
  ),
  ...accountSettings,
  CHECKS_PER_HOUR: setting(count(0), '20', 'Safety checks one space may use in an hour.'),
  WAITING_CHECKS: setting(count(1), '5', 'Versions of one account that may wait for the safety check.'),
  CHECK_SECONDS: setting(waitSeconds(1), '120', 'Time one safety check may take.'),
  CHECK_WORKERS: setting(count(1), '2', 'Safety checks that one node runs side by side.'),
  PUBLISHES_PER_HOUR: setting(count(1), '60', 'Versions one account may create in an hour.'),
  ANONYMOUS_PUBLISHES_PER_HOUR: setting(
    count(0),
    '10',
    'Versions one address may create in an hour without an account.',
  ),
  MAX_FILE_BYTES: setting(bytes, String(200 * MiB), 'Largest file of a version.'),
  MAX_VERSION_BYTES: setting(bytes, String(1024 * MiB), 'Largest version.'),
  ACCOUNT_MAX_BYTES: setting(
    bytes,
    String(20 * 1024 * MiB),
    'All files of the versions of one account together, each counted once.',
  ),
  ANONYMOUS_MAX_FILE_BYTES: setting(bytes, String(64 * MiB), 'Largest file of a version without an account.'),
  ANONYMOUS_MAX_VERSION_BYTES: setting(bytes, String(128 * MiB), 'Largest version without an account.'),
  MOVES_PER_10_MINUTES: setting(count(1), '6', 'Moves one space may try in ten minutes.'),
  REPORTS_PER_HOUR: setting(
    count(0),
    '20',
    'Reports of spaces and of what players make that one address may send in an hour.',
  ),
  WEBHOOK_EVENTS_PER_HOUR: setting(
    count(0),
    '300',
    'Events of one space that are sent to its webhooks in an hour; further events are listed, not sent.',
  ),
  LISTINGS_PER_HOUR: setting(count(1), '300', 'Pages one account may list or verify in an hour.'),
  SCORES_PER_MINUTE: setting(
    count(1),
    '60000',
    'Scores, stats and unlocks a space’s server may post in a minute, at once or spread; each node counts its own.',
  ),
  PLAYER_SCORES_PER_MINUTE: setting(
    count(1),
    '600',
    'Scores, stats and unlocks of one player that a space’s server may post in a minute; each node counts its own.',
  ),
  GUESTS_PER_HOUR: setting(
    count(0),
    '60',
    'New guests (players without an account) with stored data, from one address in an hour.',
  ),
  GUEST_DAYS: setting(days(1), '180', 'Days without a visit after which the data of a guest is deleted.'),
  GUEST_MAX_BYTES: setting(bytes, String(MiB), 'Saves of one guest in one space together.'),
  SAVES_PER_MINUTE: setting(
    count(1),
    '60',
    'Saves that one player may write or delete in a minute; each node counts its own.',
  ),
  SEARCHES_PER_MINUTE: setting(
    count(1),
    '300',
    'Searches of the gallery from one network in a minute that are not answered from memory; each node counts its own.',
  ),
  PLAY_SCORES_PER_MINUTE: setting(
    count(1),
    '12',
    'Scores a player may post to one board in a minute from the page of a space; each node counts its own.',
  ),
  PLAY_STATS_PER_MINUTE: setting(
    count(1),
    '120',
    'Stats and unlocks a player may write in a minute from the page of a space; each node counts its own.',
  ),
  ...togetherSettings,
  TELEMETRY_PER_MINUTE: setting(
    count(1),
    '120',
    'Reports of plays and errors in one space from one network in a minute; each node counts its own.',
  ),
  RANK_SEGMENT_SIZE: setting(
    count(2, 65_536),
    '64',
    'Entries in one segment of a ranking. A larger number makes posts cheaper and reading ranks more expensive.',
  ),
  RERANK_AT_ONCE: setting(
    count(0),
    '2000',
    'Up to this many submissions of a board are ranked again in the transaction that changes its rules; more are ranked by a job.',
  ),
  JOB_LEASE_SECONDS: setting(
    waitSeconds(1),
    '30',
    'How long a background job stays with a worker that no longer answers.',
  ),
  CUSTOM_DOMAINS: setting(
    flag,
    'off',
    'on lets creators give their spaces their own host names; the proxy must accept them and get certificates for them.',
  ),
  ...backupSettings,
  SCRUB_DAYS: setting(
    days(0),
    '30',
    'Every stored file is compared with its hash once in this many days; 0 turns this off.',
  ),
  DRAIN_SECONDS: setting(
    waitSeconds(0),
    '5',
    'Longest wait after SIGTERM: for kept-alive connections to send one more request and be closed, and for a second without new connections.',
  ),
  AUDIT_DAYS: setting(
    days(0),
    '0',
    'Days after which an entry of the audit log is deleted; 0 keeps it for ever.',
  ),
  KEEP_VERSIONS: setting(
    count(100),
    '100',
    'Newest finished versions of a space that are kept, 100 at least; the live one always is.',
  ),
  SKEW_SECONDS: setting(
    seconds,
    String(24 * 3600),
    'How long a version that is no longer live is still served to tabs that play it.',
  ),
} as const satisfies Record<string, Setting<unknown>>;
