import { browserUploads } from '@spaceport/client/browser-upload';
import type { Client } from '@spaceport/client/client';
import { newCreateKey } from '@spaceport/client/create-key';
import type { PublishProgress } from '@spaceport/client/progress';
import { type CreatedVersion, type PublishResult, publish } from '@spaceport/client/publish';
import type { PublishSource } from '@spaceport/client/source';
import { useEffect, useRef, useState } from 'preact/compat';
import { useViewer } from '../../app/app.tsx';
import type { KeptClaim } from '../../data/kept-claims.ts';
import { requireAccount } from '../../data/require-account.ts';
import { describeFailure, type Failure } from './describe-failure.ts';
import type { Look } from './look-through.ts';
import {
  clientFor,
  detailsFor,
  forgetTakenOver,
  keepClaimOf,
  type NewFields,
  type Target,
} from './target.ts';
import { type UploadWatch, watchUploads } from './upload-watch.ts';

/**
 * Browsers open six connections to a host; two more uploads wait, so that every connection always has a file.
 */
const lanes = 8;

/** A publish that was ordered. */
export interface Order {
  readonly look: Look;
  readonly target: Target;
  readonly fields: NewFields;
  readonly live: boolean;
}

export interface Published {
  readonly result: PublishResult;
  readonly order: Order;
  /** The client with the credential of the publish. */
  readonly client: Client;
  /** The page's token, if it was published without an account. */
  readonly claim: { readonly claim: KeptClaim; readonly kept: boolean } | null;
}

export type PublishState =
  /** `refused` is the order of the last try, which failed before a version was made. */
  | { readonly is: 'idle'; readonly failure: Failure | null; readonly refused: Order | null }
  /** `progress` is null until every file is hashed. */
  | { readonly is: 'running'; readonly progress: PublishProgress | null; readonly uploads: UploadWatch }
  /** Uploaded files stay at the service; resuming sends the rest. */
  | { readonly is: 'stopped'; readonly failure: Failure | null; readonly progress: PublishProgress | null }
  | { readonly is: 'published'; readonly published: Published };

export interface Publishing {
  readonly state: PublishState;
  readonly start: (order: Order) => void;
  readonly stop: () => void;
  /** Resumes a stopped publish. */
  readonly resume: () => void;
}

/**
 * Publishes a source, once it is hashed. No file is sent twice: files uploaded before a stop stay at the
 * service.
 */
export function usePublish(source: () => Promise<PublishSource>): Publishing {
  const viewer = useViewer();
  const [state, setState] = useState<PublishState>({ is: 'idle', failure: null, refused: null });
  const attempt = useRef<Attempt | null>(null);
  useEffect(() => () => attempt.current?.ending.abort(), []);
  // Leaving the page would end the upload, so the browser asks first.
  useEffect(() => {
    if (state.is !== 'running') return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [state.is]);

  const run = async (current: Attempt) => {
    const { order, ending } = current;
    const uploads = watchUploads(browserUploads());
    let progress: PublishProgress | null = null;
    let shownAt = 0;
    setState({ is: 'running', progress, uploads });
    try {
      const read = await unlessStopped(source(), ending.signal);
      // Without an account it would be published without one. A handle may have been chosen on this page.
      if (viewer !== null && !current.created)
        await requireAccount(viewer.handle ?? undefined, ending.signal);
      const result = await publish(current.client, {
        source: read,
        details: detailsFor(order.target, order.look, order.fields),
        live: order.live,
        // A preview is shown at once, and its check is watched separately.
        wait: order.live,
        resume: current.created,
        createKey: current.createKey,
        upload: uploads.transport,
        concurrency: lanes,
        signal: ending.signal,
        onCreated(created) {
          current.created = { version: created.version, space: created.space };
          current.claim ??= keepClaimOf(created, order.fields.title, order.look.selection.name);
          forgetTakenOver(order.target, created);
          // Later calls for a version that was made without an account need its claim token.
          if (created.claimToken !== undefined) current.client = current.client.withClaim(created.claimToken);
        },
        onProgress(now) {
          const isNew = now.phase !== progress?.phase || now.isLineLost !== progress.isLineLost;
          progress = now;
          if (!isNew && performance.now() - shownAt < 100) return;
          shownAt = performance.now();
          if (!ending.signal.aborted) setState({ is: 'running', progress, uploads });
        },
      });
      setState({
        is: 'published',
        published: { result, order, client: current.client, claim: current.claim },
      });
    } catch (error) {
      if (ending.signal.aborted) return setState({ is: 'stopped', failure: null, progress });
      const failure = describeFailure(error);
      if (current.created) setState({ is: 'stopped', failure, progress });
      else setState({ is: 'idle', failure, refused: order });
    }
  };

  return {
    state,
    start(order) {
      const client = clientFor(order.target);
      const last = attempt.current;
      // The create of the last try may have arrived, though nothing was heard of it. For other files it gets a new key.
      const createKey = last && !last.created ? last.createKey : newCreateKey();
      attempt.current = {
        order,
        client,
        createKey,
        ending: new AbortController(),
        created: undefined,
        claim: claimOf(order),
      };
      void run(attempt.current);
    },
    stop: () => attempt.current?.ending.abort(),
    resume() {
      if (!attempt.current) return;
      attempt.current.ending = new AbortController();
      void run(attempt.current);
    },
  };
}

interface Attempt {
  readonly order: Order;
  readonly createKey: string;
  client: Client;
  ending: AbortController;
  created: CreatedVersion | undefined;
  claim: Published['claim'];
}

/** Waits for `work` until the signal. The work goes on, and a later call may wait for it again. */
function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

function claimOf({ target }: Order): Published['claim'] {
  return target.is === 'claim' ? { claim: target.claim, kept: true } : null;
}
