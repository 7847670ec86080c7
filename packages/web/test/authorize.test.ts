import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import {
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { fileEntries, listing, smallGame } from '../../server/test/files.ts';
import { clientOf, type Era, useMcp } from '../../server/test/mcp-client.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { openContext, walk } from './walk.ts';

/** What a program on the person's machine stores while it signs them in. */
class Keeper implements OAuthClientProvider {
  readonly redirectUrl: string;
  opened: URL | null = null;
  #client: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #verifier = '';

  constructor(redirectUrl: string) {
    this.redirectUrl = redirectUrl;
  }

  get clientMetadata() {
    return { client_name: 'Moon Editor', redirect_uris: [this.redirectUrl] };
  }
  state = () => 'a state';
  clientInformation = () => this.#client;
  saveClientInformation = (client: StoredOAuthClientInformation) => {
    this.#client = client;
  };
  tokens = () => this.#tokens;
  saveTokens = (tokens: StoredOAuthTokens) => {
    this.#tokens = tokens;
  };
  redirectToAuthorization = (url: URL) => {
    this.opened = url;
  };
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
  codeVerifier = () => this.#verifier;
}

describe('authorizing a program, in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let ada: SignedUp;
  let program: Server;
  let callback: string;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    await service.creator('first');
    ada = await signUp(service, { handle: 'ada' });
    program = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<title>Back</title>You are back.');
    });
    await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve));
    callback = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`;
  });
  after(async () => {
    await browser?.close();
    await service?.close();
    program?.close();
  });

  /** Presses a button, and returns the parameters with which the browser reaches the callback. */
  async function ended(page: Page, button: string): Promise<URLSearchParams> {
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.waitForURL(`${callback}?*`);
    return new URL(page.url()).searchParams;
  }

  async function signIn(page: Page): Promise<void> {
    await page.getByLabel('E-mail address').fill(ada.email);
    await page.getByLabel('Password', { exact: true }).fill(ada.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  for (const [era, javaScriptEnabled] of [
    ['modern', true],
    ['legacy', false],
  ] satisfies [Era, boolean][])
    it(`works with the official client, which then calls the service (${era}, script: ${javaScriptEnabled})`, async () => {
      const keeper = new Keeper(callback);
      const url = new URL('/mcp', service.baseUrl);
      const connected = async () => {
        const transport = new StreamableHTTPClientTransport(url, { authProvider: keeper });
        const client = clientOf(era);
        await client.connect(transport);
        return { client, transport };
      };
      const first = await connected();
      // Tools that need no account work before the sign-in.
      assert.equal((await first.client.callTool({ name: 'docs' })).isError ?? false, false);
      await assert.rejects(first.client.callTool({ name: 'spaces' }), { name: 'UnauthorizedError' });
      assert.ok(keeper.opened);
      assert.equal(keeper.opened.searchParams.get('resource'), url.href);

      const context = await browser.newContext({ javaScriptEnabled });
      const page = await context.newPage();
      await page.goto(keeper.opened.href);
      await signIn(page);
      await page.getByRole('heading', { name: 'Let it in?' }).waitFor();
      assert.ok(await page.getByText('Moon Editor', { exact: true }).isVisible());
      assert.ok(await page.getByText(new URL(callback).host).isVisible());
      await first.transport.finishAuth(await ended(page, 'Yes, allow it'));
      await context.close();
      await first.client.close();

      const { client } = await connected();
      const spaces = await client.callTool({ name: 'spaces' });
      assert.deepEqual(Object(spaces.structuredContent).spaces, []);
      await client.close();
    });

  for (const javaScriptEnabled of [true, false])
    it(`gives access to one space, which the settings show (script: ${javaScriptEnabled})`, async () => {
      const created = { fields: { ...listing, title: 'Moon Hopper' }, files: fileEntries(smallGame) };
      const { space } = (await ada.call('POST', '/api/v1/hosting/versions', created)).json();
      const keeper = new Keeper(callback);
      const url = new URL('/mcp', service.baseUrl);
      const transport = new StreamableHTTPClientTransport(url, { authProvider: keeper });
      await using client = await useMcp(clientOf('modern'), (one) => one.connect(transport));
      await assert.rejects(client.call('spaces'), { name: 'UnauthorizedError' });
      const context = await browser.newContext({ javaScriptEnabled });
      const page = await context.newPage();
      await page.goto(keeper.opened?.href ?? '');
      await signIn(page);
      const choice = page.getByLabel('For', { exact: true });
      assert.equal(await choice.inputValue(), '');
      const alone = `Moon Hopper (${space.slug}) alone`;
      await choice.selectOption({ label: alone });
      await transport.finishAuth(await ended(page, 'Yes, allow it'));
      assert.deepEqual((await client.call('versions', { space: space.slug })).versions, []);
      assert.equal((await client.refused('versions', { space: 'another' })).code, 'forbidden');
      await page.goto(`${service.baseUrl}/settings`);
      await page
        .getByRole('listitem')
        .filter({ hasText: `${space.slug} alone` })
        .first()
        .waitFor();
      await context.close();
    });

  it('can be refused, and the program is told', async () => {
    const context = await openContext(browser, undefined, { url: service.baseUrl, as: ada });
    const page = await context.newPage();
    await page.goto(await addressOf());
    const back = await ended(page, 'No, refuse it');
    assert.equal(back.get('error'), 'access_denied');
    assert.equal(back.get('code'), null);
    await context.close();
  });

  it('looks right on a phone, in light and dark', async () => {
    await walk(browser, { name: 'authorize', url: await addressOf(), as: ada });
  });

  async function addressOf(): Promise<string> {
    const body = {
      client_name: 'A program with a rather long name, as some have',
      redirect_uris: [callback],
    };
    const registered = await service.anonymous.call('POST', '/oauth/register', body);
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: registered.json().client_id,
      redirect_uri: callback,
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    });
    return `${service.baseUrl}/oauth/authorize?${query}`;
  }
});
