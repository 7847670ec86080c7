import { isIP } from 'node:net';

/** The place of an S3 store, and how to talk to it. */
export interface S3Location {
  bucket: string;
  /** The text before every key: empty, or ending in a slash. */
  prefix: string;
  /** The endpoint; null for AWS itself. */
  endpoint: string | null;
  region: string;
  /** Whether the bucket's name is in the path (most self-hosted stores) instead of the host name. */
  pathStyle: boolean;
  /** Null if they are found in the usual AWS ways (environment, profile, instance role). */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
}

const knownParameters = new Set(['endpoint', 'region', 'pathStyle']);

/**
 * Parses `s3://[keyId:secret@]bucket[/prefix][?endpoint=http://…&region=…&pathStyle=1]`. The region falls
 * back to `AWS_REGION`, then to `us-east-1`, which stores other than AWS accept. Unless `pathStyle` says
 * otherwise, the bucket's name is in the path if the endpoint is `localhost` or an IP address, and in the
 * host name for other endpoints.
 * @throws `Error`, which never contains the secret
 */
export function parseS3Url(text: string): S3Location {
  const url = URL.parse(text);
  if (url?.protocol !== 's3:' || url.hostname === '')
    throw new Error('the store must read s3://bucket/prefix?…');
  const parameters = url.searchParams;
  for (const name of parameters.keys()) {
    if (!knownParameters.has(name)) throw new Error(`the store's address has an unknown parameter: ${name}`);
  }
  const endpoint = parameters.get('endpoint');
  if (endpoint !== null && !/^https?:\/\//u.test(endpoint)) {
    throw new Error("the store's endpoint must be an http or https address");
  }
  if ((url.username === '') !== (url.password === '')) {
    throw new Error("the store's address needs both key id and secret, or neither");
  }
  const pathStyle = parameters.get('pathStyle');
  if (pathStyle !== null && pathStyle !== '0' && pathStyle !== '1') {
    throw new Error("the store's pathStyle must be 0 or 1");
  }
  const folder = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/gu, '');
  return {
    bucket: url.hostname,
    prefix: folder === '' ? '' : `${folder}/`,
    endpoint,
    region: parameters.get('region') ?? process.env.AWS_REGION ?? 'us-east-1',
    pathStyle: pathStyle === null ? endpoint !== null && hasNoSubdomains(endpoint) : pathStyle === '1',
    credentials:
      url.username === ''
        ? null
        : {
            accessKeyId: decodeURIComponent(url.username),
            secretAccessKey: decodeURIComponent(url.password),
          },
  };
}

/** Returns whether the endpoint cannot have the bucket's name in front of its host. */
function hasNoSubdomains(endpoint: string): boolean {
  const host = new URL(endpoint).hostname.replace(/^\[|\]$/gu, '');
  return host === 'localhost' || isIP(host) !== 0;
}
