import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Persona, TestService } from './service.ts';

export type Headers = Record<string, string>;

/** Small limits without an account, and large ones with an account. */
export const oneCallSettings = {
  ANONYMOUS_PUBLISHES_PER_HOUR: '100',
  PUBLISHES_PER_HOUR: '200',
  ANONYMOUS_MAX_FILE_BYTES: '1m',
  ANONYMOUS_MAX_VERSION_BYTES: '2m',
  MAX_FILE_BYTES: '64m',
  MAX_VERSION_BYTES: '64m',
};

/** Returns calls that publish in one request, and that list the folder of temporary files. */
export function oneCalls(serviceOf: () => TestService) {
  return {
    send: (body: Uint8Array, query: Record<string, string> = {}, headers: Headers = {}) => {
      const asked = new URLSearchParams({ wait: '0', ...query });
      const url = `${serviceOf().baseUrl}/api/v1/hosting/publish?${asked}`;
      return serviceOf().get(url, { method: 'POST', body, headers });
    },
    temporaryFiles: () => readdir(join(serviceOf().environment.DATA_DIR ?? '', 'tmp')),
  };
}

/** The headers of a call with this token. */
export const as = ({ token }: Pick<Persona, 'token'>, more: Headers = {}) => ({
  authorization: `Bearer ${token}`,
  ...more,
});
