import type { Visit, VisitRequest } from '../visit.ts';
import { type VisitTools, visitPage } from './visit-page.ts';

interface TwiceTools extends VisitTools {
  /** Whether the browser has room for the page a second time. */
  readonly hasRoom: () => boolean;
}

/**
 * Visits a page on its own and then, if the request says so, in a frame. The second look begins once the picture of the
 * first was taken and the page is only watched, so that it mostly takes no time of its own. A page that takes much memory
 * is closed before.
 * @param onAlone called with the first visit before the second has ended
 */
export async function visitTwice(
  tools: TwiceTools,
  { again, ...request }: VisitRequest,
  onAlone: (visit: Visit) => void,
): Promise<Visit> {
  if (!again) return visitPage(tools, request);
  let looking: Promise<Visit | null> | null = null;
  const look = () => {
    looking ??= visitPage(tools, { ...request, ...again }).catch(() => null);
    return looking;
  };
  const alone = await visitPage(tools, request, () => {
    if (tools.hasRoom()) void look();
  });
  if (alone.end !== 'seen') {
    // The next visit has the browser for itself.
    await looking;
    return alone;
  }
  onAlone(alone);
  return { ...alone, framed: await look() };
}
