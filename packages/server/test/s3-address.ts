/** Keys of the S3 server of the tests. */
export interface S3Keys {
  readonly keyId: string;
  readonly secret: string;
}

/** An S3 server on loopback with one bucket. */
export interface TestS3 {
  readonly name: 'versitygw' | 's3rver';
  /** It refuses wrong secrets and bytes that were changed on their way, as every store in use does. */
  readonly isStrict: boolean;
  readonly keys: S3Keys;
  readonly endpoint: string;
  /** As `openS3Store` takes it. */
  readonly url: string;
  stop(): Promise<void>;
}

export const testBucket = 'spaceport';

/** Where a server on this port is found. */
export function addressesOf(port: number, keys: S3Keys): Pick<TestS3, 'keys' | 'endpoint' | 'url'> {
  const endpoint = `http://127.0.0.1:${port}`;
  return { keys, endpoint, url: s3Url(endpoint, keys) };
}

/** The bucket at an endpoint; without keys, they are found the usual AWS ways. */
export function s3Url(endpoint: string, keys?: S3Keys): string {
  const who = keys ? `${keys.keyId}:${encodeURIComponent(keys.secret)}@` : '';
  return `s3://${who}${testBucket}/blobs?endpoint=${endpoint}&region=us-east-1&pathStyle=1`;
}
