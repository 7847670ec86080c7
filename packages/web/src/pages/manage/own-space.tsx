import type { ManageData, OfferedDomain } from '@spaceport/contract/first-data';
import type { OwnSpace } from '@spaceport/contract/listing';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useMemo,
  useRef,
  useState,
} from 'preact/compat';
import { client } from '../../data/client.ts';

/** A space with its ETag. */
export interface ReadSpace {
  readonly space: OwnSpace;
  readonly etag: string;
}

interface Shared extends ReadSpace {
  /** The host name in the document; null if the service does not offer own host names. */
  readonly domain: OfferedDomain | null;
  /** Sets the space from the answer to a change. */
  readonly set: (read: ReadSpace) => void;
  /** Reads the space again. */
  readonly reload: () => Promise<ReadSpace>;
}

const SpaceContext = createContext<Shared | null>(null);

/** Provides the managed space to all sections, so that each shows the changes of the others. */
export function OwnSpaceProvider({ first, children }: { first: ManageData; children: ReactNode }) {
  const [read, setRead] = useState<ReadSpace>(first);
  /** Number of the last read or change: an answer that it has overtaken is older, and dropped. */
  const last = useRef(0);
  const {
    domain,
    space: { slug },
  } = first;
  const set = useCallback((changed: ReadSpace) => {
    last.current += 1;
    setRead(changed);
  }, []);
  const reload = useCallback(async () => {
    last.current += 1;
    const mine = last.current;
    const now = await readOwnSpace(slug);
    if (mine === last.current) setRead(now);
    return now;
  }, [slug]);
  const shared = useMemo(() => ({ ...read, domain, set, reload }), [read, domain, set, reload]);
  return <SpaceContext value={shared}>{children}</SpaceContext>;
}

export function useOwnSpace(): Shared {
  const shared = useContext(SpaceContext);
  if (shared === null) throw new Error('There is no space here.');
  return shared;
}

/** Reads one of the viewer's spaces with its ETag. */
async function readOwnSpace(slug: string, signal?: AbortSignal): Promise<ReadSpace> {
  let etag = '';
  const onHeaders = (headers: Headers) => {
    etag = headers.get('etag') ?? '';
  };
  const space = await client.readSpace({ params: { slug } }, { signal, onHeaders });
  return { space, etag };
}
