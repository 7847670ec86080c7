import { useEffect, useRef, useState } from 'preact/compat';
import { Main } from '../../ui/surfaces.tsx';
import { Chosen } from './chosen.tsx';
import type { Dropped } from './collect.ts';
import { describeFailure, type Failure } from './describe-failure.ts';
import './drop.css';
import { type OpenFolder, openFolder } from './open-folder.ts';
import { Waiting } from './waiting.tsx';

type Stage =
  | { readonly is: 'waiting'; readonly failure: Failure | null; readonly isReading: boolean }
  | { readonly is: 'chosen'; readonly folder: OpenFolder };

/** /drop: publishes a dropped folder or zip. */
export default function DropPage() {
  const [stage, setStage] = useState<Stage>({ is: 'waiting', failure: null, isReading: false });
  const open = useRef<OpenFolder | null>(null);
  useEffect(() => () => open.current?.close(), []);

  const take = async (dropped: () => Dropped | Promise<Dropped>) => {
    setStage({ is: 'waiting', failure: null, isReading: true });
    try {
      const folder = await openFolder(await dropped());
      open.current?.close();
      open.current = folder;
      setStage({ is: 'chosen', folder });
    } catch (error) {
      setStage({ is: 'waiting', failure: describeFailure(error), isReading: false });
    }
  };
  const startOver = () => {
    open.current?.close();
    open.current = null;
    setStage({ is: 'waiting', failure: null, isReading: false });
  };
  return (
    <Main width="wide">
      {stage.is === 'waiting' ? (
        <Waiting
          failure={stage.failure}
          isReading={stage.isReading}
          onDropped={(dropped) => void take(dropped)}
        />
      ) : (
        <Chosen folder={stage.folder} onStartOver={startOver} />
      )}
    </Main>
  );
}
