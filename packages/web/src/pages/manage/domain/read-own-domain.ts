import { ApiError } from '@spaceport/client/api-error';
import type { OfferedDomain } from '@spaceport/contract/first-data';
import { client } from '../../../data/client.ts';

/** Reads the host name of a viewer's space. It may have been removed elsewhere. */
export async function readOwnDomain(slug: string, signal: AbortSignal): Promise<OfferedDomain> {
  try {
    return { own: await client.readDomain({ params: { slug } }, { signal }) };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return { own: null };
    throw error;
  }
}
