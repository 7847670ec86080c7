import type { Viewer } from '@spaceport/contract/first-data';
import { Component, createContext, type ReactNode, useContext } from 'react';
import { ErrorState } from '../ui/error-state.tsx';
import { ToastRegion } from '../ui/toast.tsx';

const ViewerContext = createContext<Viewer | null>(null);

/** Who is signed in; null for a visitor. */
export function useViewer(): Viewer | null {
  return useContext(ViewerContext);
}

/** What every page stands in. The head line and the foot of the document are the server's. */
export function App({ viewer, children }: { viewer: Viewer | null; children: ReactNode }) {
  return (
    <ViewerContext value={viewer}>
      <Boundary>{children}</Boundary>
      <ToastRegion />
    </ViewerContext>
  );
}

/** A fault of ours ends the page that it is in, and says so. */
class Boundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return (
      <main className="main" id="main">
        <ErrorState error={this.state.error} retry={() => location.reload()} />
      </main>
    );
  }
}
