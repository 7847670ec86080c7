import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import type { RenderedDocument } from '../visit.ts';
import { type DomNode, writeDocuments } from './write-documents.ts';

/** Pages with more nodes are not read: they cost more time than they could show anyone. */
const maxNodes = 200_000;
const maxFrames = 20;

/**
 * Reads the page as it is now: all of its documents with frames and shadow roots, including closed ones,
 * which a script in the page could not read.
 */
export async function renderedDocuments(
  context: BrowserContext,
  page: Page,
  session: CDPSession,
): Promise<{ documents: RenderedDocument[]; cut: boolean }> {
  const documents: RenderedDocument[] = [];
  const frames = page.frames().slice(1);
  let cut = frames.length > maxFrames;
  for (const one of [session, ...(await ownSessions(context, frames.slice(0, maxFrames)))]) {
    await one.send('Performance.enable');
    const { metrics } = await one.send('Performance.getMetrics');
    if ((metrics.find(({ name }) => name === 'Nodes')?.value ?? 0) > maxNodes) {
      cut = true;
      continue;
    }
    const { root } = await one.send('DOM.getDocument', { depth: -1, pierce: true });
    cut = writeDocuments(root as DomNode, documents) || cut;
  }
  return { documents, cut };
}

/** Opens sessions for the frames of other sites, which are in other processes. */
async function ownSessions(
  context: BrowserContext,
  frames: ReturnType<Page['frames']>,
): Promise<CDPSession[]> {
  const sessions: CDPSession[] = [];
  for (const frame of frames) {
    // A frame in its parent's process has no session of its own, and was read with the parent.
    const session = await context.newCDPSession(frame).catch(() => null);
    if (session) sessions.push(session);
  }
  return sessions;
}
