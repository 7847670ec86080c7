import type { DocumentFrame, Viewer } from '@spaceport/contract/document-frame';
import { Component, createContext, type ReactNode, useContext } from 'preact/compat';
import { FailedState } from '../ui/failed-state.tsx';
import { brokenPage } from '../ui/plain-errors.ts';
import { ToastRegion } from '../ui/toast.tsx';
import { ElementIds } from './element-id.tsx';

const FrameContext = createContext<DocumentFrame | null>(null);

/** Returns the facts about the page's document. */
export function useDocument(): DocumentFrame {
  const frame = useContext(FrameContext);
  if (frame === null) throw new Error('A page stands in an App.');
  return frame;
}

/** Returns the signed-in account; null for a visitor. */
export function useViewer(): Viewer | null {
  return useDocument().viewer;
}

/** Returns the service's origin. */
export function useOrigin(): string {
  return useDocument().origin;
}

/** The component around every page. The document's header and footer are outside it. */
export function App({ frame, children }: { frame: DocumentFrame; children: ReactNode }) {
  return (
    <FrameContext value={frame}>
      <ElementIds>
        <Boundary>{children}</Boundary>
        <ToastRegion />
      </ElementIds>
    </FrameContext>
  );
}

/** Shows an error in place of a page that failed to render. */
class Boundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static override getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    return (
      <main className="main" id="main">
        <FailedState text={brokenPage} retry={() => location.reload()} />
      </main>
    );
  }
}
