import assert from 'node:assert/strict';
import { claimHeader } from '@spaceport/contract/versions';
import { fileEntries, listing, putFile } from './files.ts';
import type { RawAnswer } from './raw-http.ts';
import type { Persona, TestService } from './service.ts';

const path = '/api/v1/hosting/versions';
export const fields = { ...listing, devices: ['desktop' as const] };

/** Returns the files of a version that its mark identifies. */
export const files = (mark: string) => ({ 'index.html': `<title>${mark}</title>` });

/** The answers to create and finish. */
export interface PublishedPage {
  readonly id: string;
  readonly claim: string;
  readonly space: { readonly slug: string; readonly url: string };
  readonly pageUrl: string;
  readonly previewUrl: string;
  readonly expiresAt: string;
}

/** Returns a publisher without an account. The service may be started later. */
export function withoutAccount(service: () => TestService): {
  anonymous: Pick<Persona, 'call'>;
  /** Publishes a page of one file, and finishes it. */
  published(mark?: string): Promise<PublishedPage>;
  withClaim(method: string, where: string, claim: string, body?: unknown): Promise<RawAnswer>;
} {
  const anonymous: Pick<Persona, 'call'> = {
    call: (...parameters) => service().anonymous.call(...parameters),
  };
  return {
    anonymous,
    async published(mark = String(Math.random())) {
      const created = await anonymous.call('POST', path, { fields, files: fileEntries(files(mark)) });
      assert.equal(created.status, 201, created.text());
      const { version, claimToken: claim, uploads, ...answer } = created.json();
      for (const { url } of uploads) await putFile(service(), url, files(mark)['index.html']);
      const finish = await anonymous.call('POST', `${path}/${version.id}/finish`, { claim });
      assert.equal(finish.status, 200, finish.text());
      return { ...answer, ...finish.json(), id: version.id, claim };
    },
    withClaim: (method, where, claim, body) => anonymous.call(method, where, body, { [claimHeader]: claim }),
  };
}
