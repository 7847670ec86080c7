import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import type { RenderedDocument } from '../visit.ts';
import { type DomNode, writeDocuments } from './write-documents.ts';

/** A page with more nodes costs more to read than it could show anyone. */
const maxNodes = 200_000;
const maxFrames = 20;

/**
 * Reads the page as it stands: every document of it with its frames and shadow roots, closed ones too, which no
 * script of ours inside the page would be shown.
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

/** Frames of other sites live in other processes, and are spoken to apart. */
async function ownSessions(
  context: BrowserContext,
  frames: ReturnType<Page['frames']>,
): Promise<CDPSession[]> {
  const sessions: CDPSession[] = [];
  for (const frame of frames) {
    // A frame in its parent's process has no session of its own, and was read with it.
    const session = await context.newCDPSession(frame).catch(() => null);
    if (session) sessions.push(session);
  }
  return sessions;
}
