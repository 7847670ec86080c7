import type { ServerResponse } from 'node:http';
import { gameFrame } from '@spaceport/contract/game-frame';

/**
 * Answers with a page that has another one in the frame of a space's page, for our own browser.
 * @param address of the page in the frame
 * @param isolated the page needs shared memory: then the page around it is isolated, too
 */
export function sendFramingPage(
  response: ServerResponse,
  { address, isolated }: { readonly address: string; readonly isolated: boolean },
): void {
  const { sandbox, allow } = gameFrame;
  response.setHeader('content-type', 'text/html; charset=utf-8');
  if (isolated) {
    response.setHeader('cross-origin-opener-policy', 'same-origin');
    response.setHeader('cross-origin-embedder-policy', 'credentialless');
  }
  response.end(
    `<!doctype html><title>Space</title><style>html, body { margin: 0; height: 100%; overflow: hidden } iframe { display: block; width: 100%; height: 100%; border: 0 }</style><iframe src="${address}" sandbox="${sandbox}" allow="${allow}"></iframe>`,
  );
}
