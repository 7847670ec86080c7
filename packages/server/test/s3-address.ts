/** Keys of the S3 server of the tests. */
export interface S3Keys {
  readonly keyId: string;
  readonly secret: string;
}

/** An S3 server on loopback with one bucket. */
export interface TestS3 {
  readonly name: string;
  readonly keys: S3Keys;
  readonly endpoint: string;
  /** The address in the form for `openS3Store`. */
  readonly url: string;
  stop(): Promise<void>;
}

export const testBucket = 'spaceport';

/** Returns the addresses of a server on this port. */
export function addressesOf(port: number, keys: S3Keys): Pick<TestS3, 'keys' | 'endpoint' | 'url'> {
  const endpoint = `http://127.0.0.1:${port}`;
  return { keys, endpoint, url: s3Url(endpoint, keys) };
}

/** Returns the address of the bucket at an endpoint. Without keys, the usual AWS credentials are used. */
export function s3Url(endpoint: string, keys?: S3Keys): string {
  const who = keys ? `${keys.keyId}:${encodeURIComponent(keys.secret)}@` : '';
  return `s3://${who}${testBucket}/blobs?endpoint=${endpoint}&region=us-east-1&pathStyle=1`;
}
