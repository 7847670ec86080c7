import assert from 'node:assert/strict';
import { listing } from './files.ts';
import { type PageServer, proofTag } from './pages.ts';
import type { Persona } from './service.ts';

/** Returns the steps to move a space: making pages with the proof tag, listing spaces there, moving them. */
export function movingCalls(of: () => { pages: PageServer; creator: Persona }) {
  let nextPath = 0;
  const newPath = () => `/page-${nextPath++}`;
  const newPage = (head = proofTag(of().creator.handle)) => of().pages.put(newPath(), head);
  const move = (slug: string, url: unknown, who: Pick<Persona, 'call'> = of().creator) =>
    who.call('POST', `/api/spaces/${slug}/move`, { url });
  const read = async (slug: string, who = of().creator) =>
    (await who.call('GET', `/api/spaces/${slug}`)).json();
  async function listed(
    head?: string,
    who = of().creator,
  ): Promise<{ slug: string; url: string; service_url: string }> {
    const answer = await who.call('POST', '/api/spaces', { url: newPage(head), ...listing });
    assert.equal(answer.status, 201, answer.text());
    return answer.json();
  }
  return { newPath, newPage, move, read, listed };
}
