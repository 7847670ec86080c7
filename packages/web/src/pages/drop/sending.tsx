import type { PublishProgress } from '@spaceport/client/progress';
import { useSyncExternalStore } from 'preact/compat';
import { Button } from '../../ui/button.tsx';
import { Notice, Progress } from '../../ui/surfaces.tsx';
import { Bytes, formatBytes, Num } from '../../ui/text.tsx';
import { DropFailure } from './drop-failure.tsx';
import type { Hashing } from './hashing.ts';
import { StageTitle } from './stage-title.tsx';
import { timeLeft } from './time-left.ts';
import type { UploadWatch } from './upload-watch.ts';
import type { PublishState } from './use-publish.ts';

interface SendingProps {
  readonly name: string;
  readonly state: Extract<PublishState, { is: 'running' | 'stopped' }>;
  readonly hashed: Hashing;
  readonly onStop: () => void;
  readonly onResume: () => void;
  readonly onStartOver: () => void;
}

/** Shows a running upload: progress, speed, remaining time and files. */
export function Sending({ name, state, hashed, onStop, onResume, onStartOver }: SendingProps) {
  const { progress } = state;
  const isRunning = state.is === 'running';
  return (
    <div className="stack">
      <StageTitle>{isRunning ? `Publishing ${name}` : 'Stopped'}</StageTitle>
      <section className="card stack" aria-label="Progress">
        {progress === null ? <Reading hashed={hashed} /> : <Sent progress={progress} />}
        {isRunning && <Files uploads={state.uploads} />}
        {state.is === 'stopped' &&
          (state.failure ? (
            <DropFailure failure={state.failure} />
          ) : (
            <Notice>The service keeps what has arrived for a day: continue to send the rest.</Notice>
          ))}
        <div className="row">
          {isRunning ? (
            <Button variant="plain" onClick={onStop}>
              Stop
            </Button>
          ) : (
            <>
              <Button icon="restart" onClick={onResume}>
                Go on
              </Button>
              <Button variant="quiet" onClick={onStartOver}>
                Choose another
              </Button>
            </>
          )}
        </div>
      </section>
    </div>
  );
}

function Reading({ hashed }: { hashed: Hashing }) {
  const { files, bytes } = useSyncExternalStore(hashed.subscribe, hashed.state);
  return (
    <div className="stack stack--tight">
      <Progress value={hashed.totalBytes === 0 ? null : bytes / hashed.totalBytes} label="Files read" />
      <p className="drop-numbers">
        <span>Reading the files</span>
        <span>
          <Num value={files} /> of <Num value={hashed.totalFiles} />
        </span>
      </p>
    </div>
  );
}

const phases: Readonly<Record<PublishProgress['phase'], string>> = {
  creating: 'Telling the service what is coming',
  uploading: 'Sending',
  finishing: 'Finishing the version',
  queued: 'Other versions of yours are being checked first',
  checking: 'The safety check runs',
  done: 'Done',
};

function Sent({ progress }: { progress: PublishProgress }) {
  const { phase, filesDone, filesTotal, bytesDone, bytesTotal, bytesPerSecond, secondsLeft, isLineLost } =
    progress;
  const isUploading = phase === 'uploading';
  const part = bytesTotal === 0 ? null : bytesDone / bytesTotal;
  return (
    <div className="stack stack--tight">
      <Progress value={isUploading ? part : phase === 'creating' ? 0 : null} label="Sent" />
      <p className="drop-numbers">
        <span role="status">{isLineLost ? 'The line is gone; it goes on by itself' : phases[phase]}</span>
        {isUploading && (
          <>
            <span>
              <Num value={filesDone} /> of <Num value={filesTotal} /> files
            </span>
            <span>
              <Bytes value={bytesDone} /> of <Bytes value={bytesTotal} />
            </span>
            <span>{bytesPerSecond > 0 ? `${formatBytes(bytesPerSecond)}/s` : ''}</span>
            <span>{secondsLeft === undefined ? '' : `${timeLeft(secondsLeft)} left`}</span>
          </>
        )}
        {progress.retryInSeconds !== undefined && (
          <span>next try in {timeLeft(progress.retryInSeconds)}</span>
        )}
      </p>
    </div>
  );
}

/** A fixed number of rows, so that nothing jumps. */
const rows = 6;

function Files({ uploads }: { uploads: UploadWatch }) {
  const sending = useSyncExternalStore(uploads.subscribe, uploads.sending);
  return (
    <ul className="drop-sending" aria-hidden="true">
      {Array.from({ length: rows }, (_, at) => {
        const file = sending[at];
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is a place, whichever file stands in it
        if (!file) return <li key={at} />;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <li key={at}>
            <span className="drop-path">{file.path}</span>
            <Progress value={file.size === 0 ? 1 : file.sent / file.size} label={file.path} />
            <Bytes value={file.size} />
          </li>
        );
      })}
    </ul>
  );
}
