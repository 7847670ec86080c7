import { resolve } from 'node:path';
import type { NamedLink } from '@spaceport/contract/named-link';
import { parseS3Url } from './platform/blobs/s3-url.ts';
import { parseNetwork, type TrustedProxies } from './platform/http/client-address.ts';
import { parseTarget } from './platform/safe-fetch/target.ts';

/**
 * Reads one setting.
 * @throws an Error whose message follows the written value ("… is not a port")
 */
export type Parser<T> = (value: string) => T;

export const text: Parser<string> = (value) => value;

export function optional<T>(parse: Parser<T>): Parser<T | null> {
  return (value) => (value === '' ? null : parse(value));
}

export function count(min: number, max = Number.MAX_SAFE_INTEGER): Parser<number> {
  return (value) => {
    const number = wholeNumber(value);
    if (number < min) throw new Error(`is under ${min}`);
    if (number > max) throw new Error(`is over ${max}`);
    return number;
  };
}

/** A number of processes, or `auto` for one process for each core. */
export const processes: Parser<number | 'auto'> = (value) =>
  value === 'auto' ? 'auto' : count(1, 256)(value);

/** Three centuries: as good as for ever, and no instant is beyond what dates and whole numbers can hold. */
const mostSeconds = 10_000_000_000;

export const seconds = count(1, mostSeconds);
/** Seconds that a timer waits, which can wait for 24 days only. */
export const waitSeconds = (min: number): Parser<number> => count(min, 86_400);
export const days = (min: number): Parser<number> => count(min, 100_000);
export const port: Parser<number> = (value) => {
  const number = wholeNumber(value);
  if (number > 65_535) throw new Error('is not a port (0 to 65535)');
  return number;
};

const spans = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

/** Seconds, also written as 30m, 1h or 1d. */
export const span: Parser<number> = (value) => {
  const [, number, unit = 's'] = /^(\d{1,9})([smhd]?)$/u.exec(value) ?? [];
  const found = number === undefined ? 0 : Number(number) * spans[(unit || 's') as keyof typeof spans];
  if (found < 1) throw new Error('is not a time such as 3600, 30m, 1h or 1d');
  if (found > mostSeconds) throw new Error(`is over ${mostSeconds} seconds`);
  return found;
};

const units = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 } as const;

/** A number of bytes, also written as 64k, 200m or 1g. */
export const bytes: Parser<number> = (value) => {
  const match = /^(\d{1,15})([kmg]?)i?b?$/iu.exec(value);
  if (!match) throw new Error('is not a number of bytes such as 209715200 or 200m');
  const unit = (match[2] ?? '').toLowerCase() as keyof typeof units;
  return Number(match[1]) * units[unit];
};

export const flag: Parser<boolean> = (value) => {
  if (['true', '1', 'yes', 'on'].includes(value.toLowerCase())) return true;
  if (['false', '0', 'no', 'off'].includes(value.toLowerCase())) return false;
  throw new Error('is neither true nor false');
};

/** `false`, the number of proxies in a row (`true` is one), or their addresses and networks. */
export const proxies: Parser<TrustedProxies> = (value) => {
  if (['false', '0', 'no'].includes(value.toLowerCase())) return false;
  if (['true', 'yes'].includes(value.toLowerCase())) return 1;
  if (/^\d{1,2}$/u.test(value)) return Number(value);
  const networks = value
    .split(',')
    .map((network) => network.trim())
    .filter((network) => network !== '');
  if (networks.length === 0 || !networks.every((network) => parseNetwork(network)))
    throw new Error('is neither false, nor a number of proxies, nor a list of networks such as 10.0.0.0/8');
  return networks;
};

/** scheme://host[:port] without a path. */
export const origin: Parser<string> = (value) => {
  const url = parseUrl(value, ['http:', 'https:']);
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new Error('must be an address without a path');
  return url.origin;
};

/** http:// or https://, with an optional path. A slash at its end is removed. */
export const webAddress: Parser<string> = (value) => {
  const url = parseUrl(value, ['http:', 'https:']);
  // `fetch` refuses such an address, with an error that has the password in it.
  if (url.username !== '' || url.password !== '') throw new Error('has a name or password in it');
  return url.href.replace(/\/+$/u, '');
};

/** `name=value` pairs separated by commas, with percent-encoded values, as OpenTelemetry writes headers. */
export const headerList: Parser<Readonly<Record<string, string>>> = (value) => {
  const pairs = value.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name = '', text = ''] = /^\s*([\w.!#$&^|~-]+)\s*=(.*)$/u.exec(pair) ?? [];
      if (name === '') throw new Error('is not a list such as name=value,name=value');
      return [name.toLowerCase(), decoded(text.trim())];
    }),
  );
};

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('has a % that begins no escape: write it as %25');
  }
}

/** One of these words. */
export function oneOf<T extends string>(words: readonly T[]): Parser<T> {
  return (value) => {
    const found = words.find((word) => word === value.toLowerCase());
    if (found === undefined) throw new Error(`is none of ${words.join(', ')}`);
    return found;
  };
}

/** Labels of a host name with letters, digits and hyphens. The last one has a letter, unlike that of an IPv4 address. */
const hostName =
  /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*(?=[a-z0-9-]*[a-z])[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/u;

/** name[:port] of a host, as in a Host header, that has names below it. */
export const host: Parser<string> = (value) => {
  const url = URL.parse(`http://${value}`);
  if (value.startsWith('*.')) throw new Error('begins with «*.»: give only the name after it');
  if (!url || url.host !== value.toLowerCase().replace(/:80$/u, '') || !hostName.test(url.hostname))
    throw new Error('is not a host name (and port)');
  return value.toLowerCase();
};

/** A path that begins with a slash; one is added at its end. */
export const pathPrefix: Parser<string> = (value) => {
  if (!/^\/[!-~]*$/u.test(value)) throw new Error('is not a path such as /blobs/');
  return value.endsWith('/') ? value : `${value}/`;
};

/** An address with or without a name, as in the From header of a mail. */
export const sender: Parser<string> = (value) => {
  // Without quotes, a colon begins a group (RFC 5322), which is no sender.
  if (!/^(?:(?:"[^"]*"\s*|[^"<>,;:]*)<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/u.test(value))
    throw new Error('is not a sender such as Spaceport <mail@spaceport.example>');
  return value;
};

/** An e-mail address, or the address of a page, as a link whose words are the address. */
export const contact: Parser<NamedLink> = (value) => {
  if (/^[^\s<>@,;:/?&%]+@[^\s<>@,;:/?&%]+$/u.test(value)) return { label: value, href: `mailto:${value}` };
  if (!/^https?:/iu.test(value)) throw new Error('is neither an e-mail address nor that of a page');
  return { label: value, href: webAddress(value) };
};

/** `Words=https://…` separated by commas. */
export const linkList: Parser<readonly NamedLink[]> = (value) => {
  const links = value.split(',').filter((link) => link.trim() !== '');
  return links.map((link) => {
    const [, label = '', href = ''] = /^\s*([^=]+?)\s*=\s*(\S+)\s*$/u.exec(link) ?? [];
    if (label === '') throw new Error('is not a list such as Terms=https://…,Privacy=https://…');
    return { label, href: webAddress(href) };
  });
};

/** host:port of a service to connect to. */
export const address: Parser<{ host: string; port: number }> = (value) => {
  const match = /^(?:\[([0-9a-f:]+)\]|([^\s:/]+)):(\d{1,5})$/iu.exec(value);
  const name = match?.[1] ?? match?.[2];
  if (!match || name === undefined || Number(match[3]) > 65_535) throw new Error('is not host:port');
  return { host: name, port: Number(match[3]) };
};

export const fetchAllowList: Parser<readonly string[]> = (value) => {
  const entries = value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  for (const entry of entries) {
    if (!parseTarget(entry)) throw new Error(`has ${JSON.stringify(entry)}, which is not host:port`);
  }
  return entries.map((entry) => entry.toLowerCase());
};

export const postgresUrl: Parser<string> = (value) => parseUrl(value, ['postgres:', 'postgresql:']) && value;
export const smtpUrl: Parser<string> = (value) => {
  if (parseUrl(value, ['smtp:', 'smtps:']).hostname === '') throw new Error('names no mail server');
  return value;
};
export const s3Url: Parser<string> = (value) => {
  const url = parseUrl(value, ['s3:']);
  if (url.hostname === '') throw new Error('names no bucket');
  try {
    parseS3Url(value);
  } catch (error) {
    throw new Error(`cannot be used: ${error instanceof Error ? error.message : error}`);
  }
  return value;
};

/** A folder, or an address that `s3Url` takes. */
export const backupPlace: Parser<string> = (value) => {
  if (/^s3:/iu.test(value)) return s3Url(value);
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(value)) throw new Error('is neither a folder nor starts with s3://');
  return resolve(value);
};

/**
 * Returns a text without the name and password in its address, so that it may be shown. It need not be a right
 * address: a key with a slash in it makes it none.
 */
export function withoutCredentials(text: string): string {
  return text.replace(/\/\/.*@/u, '//');
}

function parseUrl(value: string, schemes: readonly string[]): URL {
  const url = URL.parse(value);
  if (url === null) throw new Error('is not an address');
  if (!schemes.includes(url.protocol))
    throw new Error(`does not start with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`);
  return url;
}

function wholeNumber(value: string): number {
  if (!/^\d{1,15}$/u.test(value)) throw new Error('is not a whole number');
  return Number(value);
}
