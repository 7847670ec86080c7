import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { S3Keys } from './s3-address.ts';

/**
 * Starts a cloud's instance metadata service (version 2, which requires its own token), for keys of a role.
 */
export async function startInstanceMetadata(
  keys: S3Keys,
): Promise<{ endpoint: string; asked: readonly string[]; stop: () => Promise<void> }> {
  const asked: string[] = [];
  const token = 'token-of-this-machine';
  const role = 'spaceport-role';
  const folder = '/latest/meta-data/iam/security-credentials/';
  const server = createServer((request, response) => {
    const { method, url = '', headers } = request;
    asked.push(`${method} ${url}`);
    if (method === 'PUT' && url === '/latest/api/token') {
      const isAsked = headers['x-aws-ec2-metadata-token-ttl-seconds'] !== undefined;
      return response.writeHead(isAsked ? 200 : 400).end(isAsked ? token : '');
    }
    if (headers['x-aws-ec2-metadata-token'] !== token) return response.writeHead(401).end();
    if (url === folder) return response.end(role);
    if (url !== `${folder}${role}`) return response.writeHead(404).end();
    response.end(
      JSON.stringify({
        Code: 'Success',
        Type: 'AWS-HMAC',
        LastUpdated: new Date().toISOString(),
        Expiration: new Date(Date.now() + 3_600_000).toISOString(),
        AccessKeyId: keys.keyId,
        SecretAccessKey: keys.secret,
        // Empty: servers with only keys refuse the session tokens of a cloud.
        Token: '',
      }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
