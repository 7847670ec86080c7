import { useEffect, useRef, useState } from 'preact/compat';
import { Main } from '../../ui/surfaces.tsx';
import { Chosen } from './chosen.tsx';
import type { Dropped } from './collect.ts';
import { describeFailure, type Failure } from './describe-failure.ts';
import './drop.css';
import { type OpenFolder, openFolder } from './open-folder.ts';
import { Waiting } from './waiting.tsx';

interface Waits {
  readonly is: 'waiting';
  readonly failure: Failure | null;
  readonly isReading: boolean;
  /** Whether something was chosen before: then the page has changed, and its heading takes the focus. */
  readonly isReturn: boolean;
}

type Stage = Waits | { readonly is: 'chosen'; readonly folder: OpenFolder };

const first: Waits = { is: 'waiting', failure: null, isReading: false, isReturn: false };

/** /drop: publishes a dropped folder or zip. */
export default function DropPage() {
  const [stage, setStage] = useState<Stage>(first);
  const open = useRef<OpenFolder | null>(null);
  /** Number of the last drop: while a large folder is read, another one may be dropped. */
  const last = useRef(0);
  useEffect(() => () => open.current?.close(), []);

  const take = async (dropped: () => Dropped | Promise<Dropped>) => {
    last.current += 1;
    const mine = last.current;
    startOver({ isReading: true });
    try {
      const folder = await openFolder(await dropped());
      if (mine !== last.current) return folder.close();
      open.current = folder;
      setStage({ is: 'chosen', folder });
    } catch (error) {
      if (mine === last.current) wait({ failure: describeFailure(error), isReading: false });
    }
  };
  const startOver = ({ isReading }: { isReading: boolean }) => {
    open.current?.close();
    open.current = null;
    wait({ failure: null, isReading });
  };
  const wait = (how: Pick<Waits, 'failure' | 'isReading'>) =>
    setStage((before) => ({
      ...how,
      is: 'waiting',
      isReturn: before.is !== 'waiting' || before.isReturn,
    }));
  return (
    <Main width="wide">
      {stage.is === 'waiting' ? (
        <Waiting {...stage} onDropped={(dropped) => void take(dropped)} />
      ) : (
        <Chosen
          folder={stage.folder}
          onDropped={(dropped) => void take(dropped)}
          onStartOver={() => startOver({ isReading: false })}
        />
      )}
    </Main>
  );
}
