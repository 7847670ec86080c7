import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RawAnswer } from './raw-http.ts';
import type { TestService } from './service.ts';

export type Answering = Pick<TestService, 'baseUrl' | 'get'>;

type Headers = Record<string, string>;

/** A browser without script: it keeps cookies and sends forms, but does not follow redirects. */
export interface Visitor {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Headers): Promise<RawAnswer>;
  /** Sends a form from one of the service's own pages. */
  post(path: string, fields?: Record<string, string>, headers?: Headers): Promise<RawAnswer>;
  /** Makes an API call as our own pages do. */
  call(method: string, path: string, body?: unknown, headers?: Headers): Promise<RawAnswer>;
}

/** Returns a visitor of anything that answers requests like a service. */
export function visitor(service: Answering, origin = service.baseUrl): Visitor {
  const cookies = new Map<string, string>();
  const send = async (method: string, path: string, headers: Headers, body?: string) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await service.get(new URL(path, origin).href, {
      method,
      headers: { ...(cookie === '' ? {} : { cookie }), 'sec-fetch-site': 'same-origin', ...headers },
      ...(body === undefined ? {} : { body }),
    });
    for (const header of answer.headers['set-cookie'] ?? []) keep(cookies, header);
    return answer;
  };
  return {
    cookies,
    get: (path, headers = {}) => send('GET', path, headers),
    post: (path, fields = {}, headers = {}) =>
      send(
        'POST',
        path,
        { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        new URLSearchParams(fields).toString(),
      ),
    call: (method, path, body, headers = {}) =>
      send(
        method,
        path,
        { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        body === undefined ? undefined : JSON.stringify(body),
      ),
  };
}

function keep(cookies: Map<string, string>, header: string): void {
  const [pair = ''] = header.split(';');
  const equals = pair.indexOf('=');
  if (/;\s*max-age=0\b/iu.test(header)) cookies.delete(pair.slice(0, equals));
  else cookies.set(pair.slice(0, equals), pair.slice(equals + 1));
}

export interface SignedUp extends Visitor {
  readonly email: string;
  readonly password: string;
}

/** Returns a visitor who has just signed up, with a handle if one is given. */
export async function signUp(
  service: TestService,
  { handle, name = 'Ada', email = `${randomBytes(6).toString('hex')}@example.org` }: SignUpOptions = {},
): Promise<SignedUp> {
  const who = visitor(service);
  const password = randomBytes(9).toString('hex');
  const answer = await who.post('/sign-up', { name, email, password });
  assert.equal(answer.status, 303, answer.text());
  if (handle !== undefined) {
    const chosen = await who.post('/handle', { handle });
    assert.equal(chosen.status, 303, chosen.text());
  }
  return { ...who, email, password };
}

export interface SignUpOptions {
  readonly handle?: string;
  readonly name?: string;
  readonly email?: string;
}

/** Returns the mails to an address, oldest first. */
export async function mailsTo(service: TestService, email: string): Promise<string[]> {
  await service.settle();
  const folder = join(service.environment.DATA_DIR ?? '', 'mail');
  const names = await readdir(folder).catch(() => []);
  const mails = await Promise.all(names.sort().map((name) => readFile(join(folder, name), 'utf8')));
  return mails.filter((mail) => mail.includes(`\r\nTo: ${email}\r\n`));
}

/** Returns the path of the link in a mail. */
export function linkIn(mail: string | undefined): string {
  const link = /^https?:\S+\?token=\S+$/mu.exec(mail ?? '')?.[0];
  assert.ok(link, `no link in ${mail}`);
  const { pathname, search } = new URL(link);
  return pathname + search;
}

/** Returns the token in such a path, as the page's form sends it. */
export function tokenOf(path: string): string {
  return new URL(path, 'http://localhost').searchParams.get('token') ?? '';
}
