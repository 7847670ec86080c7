import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proxyOf } from './proxy.ts';

const proxy = 'http://proxy.example:3128';
const chosen = (url: string, env: Record<string, string>) => proxyOf(new URL(url), env)?.href ?? null;

test('the scheme of the address chooses the variable, and lower case goes first', () => {
  const env = { HTTPS_PROXY: proxy, https_proxy: 'http://lower.example:1', HTTP_PROXY: 'plain.example:8080' };
  assert.equal(chosen('https://spaceport.example', env), 'http://lower.example:1/');
  assert.equal(chosen('http://spaceport.example', env), 'http://plain.example:8080/');
  assert.equal(chosen('http://spaceport.example', { HTTPS_PROXY: proxy }), null);
  assert.equal(chosen('https://spaceport.example', { ALL_PROXY: proxy }), `${proxy}/`);
  assert.equal(chosen('https://spaceport.example', { HTTPS_PROXY: ' ' }), null);
});

test('this machine is asked directly', () => {
  const env = { HTTPS_PROXY: proxy, HTTP_PROXY: proxy };
  for (const host of ['localhost:3000', 'p--1.temp.localhost:3000', '127.0.0.1:3000', '[::1]:3000'])
    assert.equal(chosen(`http://${host}`, env), null, host);
  assert.equal(chosen('http://localhost.example', env), `${proxy}/`);
});

test('so is what NO_PROXY lists', () => {
  const asked = (noProxy: string) =>
    chosen('https://play.spaceport.example', { HTTPS_PROXY: proxy, NO_PROXY: noProxy }) === null;
  for (const list of [
    '*',
    'spaceport.example',
    '.spaceport.example',
    '*.Spaceport.example',
    'a.example, example:443',
  ])
    assert.ok(asked(list), list);
  for (const list of ['', ',', 'port.example', 'spaceport.example:8443', 'other.example'])
    assert.ok(!asked(list), list);
});

test('NO_PROXY lists addresses and blocks of them, IPv6 with brackets or without', () => {
  const asked = (url: string, noProxy: string) =>
    chosen(url, { HTTP_PROXY: proxy, NO_PROXY: noProxy }) === null;
  const six = 'http://[fd00::1]:8080';
  for (const list of [
    'fd00::1',
    '[fd00::1]',
    'a.example,fd00:0:0::0001',
    '[fd00::1]:8080',
    'FD00::/8',
    '[fd00::]/8',
    'fd00::1/128',
    '::/0',
  ])
    assert.ok(asked(six, list), list);
  for (const list of ['fd01::1', '[fd00::1]:80', 'fe80::/10', 'fd00::/129', 'fd00::1%eth0', '::', '1', '[]'])
    assert.ok(!asked(six, list), list);
  const four = 'http://10.1.2.3';
  for (const list of ['10.1.2.3', '10.1.2.3:80', '10.0.0.0/8', '0.0.0.0/0', '10.1.2.3/32'])
    assert.ok(asked(four, list), list);
  for (const list of [
    '10.1.2.4',
    '10.1.2.3:8080',
    '10.0.0.0/33',
    '10.2.0.0/16',
    '2.3',
    '10.0.0.0/x',
    'fd00::/8',
  ])
    assert.ok(!asked(four, list), list);
  assert.ok(!asked('http://host10.1.example', '10.0.0.0/8'));
  assert.ok(asked('http://spaceport.example', 'spaceport.example.'));
});

test('something else than an HTTP proxy is refused by the name of its variable', () => {
  for (const value of ['socks5://proxy.example:1080', 'http://'])
    assert.throws(() => chosen('https://spaceport.example', { https_proxy: value }), {
      message: /^https_proxy is not the address of an HTTP proxy/u,
    });
});

test('an ALL_PROXY of another kind is for other programs', () => {
  const socks = 'socks5://127.0.0.1:1080';
  assert.equal(chosen('https://spaceport.example', { ALL_PROXY: socks }), null);
  assert.equal(chosen('https://spaceport.example', { ALL_PROXY: socks, HTTPS_PROXY: proxy }), `${proxy}/`);
});
