import { cliLine } from '@spaceport/contract/cli-line';
import { useRef } from 'preact/compat';
import { useDocument } from '../../app/app.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { KeptPages } from '../../ui/kept-pages.tsx';
import { Notice, ScriptNeeded } from '../../ui/surfaces.tsx';
import { collectFiles, type Dropped } from './collect.ts';
import type { Failure } from './describe-failure.ts';
import { DropFailure } from './drop-failure.tsx';
import { StageTitle } from './stage-title.tsx';
import { useFileDrag } from './use-file-drag.ts';

interface WaitingProps {
  /** Whether it replaced another stage of the page. */
  readonly isReturn: boolean;
  readonly failure: Failure | null;
  readonly isReading: boolean;
  readonly onDropped: (dropped: () => Dropped | Promise<Dropped>) => void;
}

const title = 'Publish a folder';

/** Shown before anything is dropped. */
export function Waiting({ isReturn, failure, isReading, onDropped }: WaitingProps) {
  const { viewer, origin, needsAccount } = useDocument();
  const mayPublish = viewer !== null || !needsAccount;
  return (
    <div className="stack">
      <div className="drop-lead">
        {isReturn ? <StageTitle>{title}</StageTitle> : <h1>{title}</h1>}
        <p className="quiet">
          Drop the folder with your index.html and everything it needs; for an engine, its export for the web.
          You see how it runs before anybody else does.
        </p>
      </div>
      <ScriptNeeded>
        Reading a folder needs JavaScript, which is switched off in your browser. From a terminal it works
        without.
      </ScriptNeeded>
      {failure && <DropFailure failure={failure} />}
      {mayPublish ? (
        <DropZone isReading={isReading} onDropped={onDropped} />
      ) : (
        <Notice actions={<LinkButton href="/sign-in?next=/drop">Sign in</LinkButton>}>
          Publishing here needs an account.
        </Notice>
      )}
      {!viewer && mayPublish && (
        <Notice>
          You need no account: the page stays for a week, for people with its address, and you can claim it
          later. To publish into your own spaces, <a href="/sign-in?next=/drop">sign in</a> first.
        </Notice>
      )}
      <KeptPages />
      <p className="quiet small drop-note">
        node_modules and files whose names begin with a dot are left out; a service.json is read for its
        title, boards and achievements. From a terminal:{' '}
        <code>
          {cliLine(origin, viewer || needsAccount ? 'publish ./my-game' : 'publish ./my-game --anonymous')}
        </code>
      </p>
    </div>
  );
}

function DropZone({ isReading, onDropped }: Pick<WaitingProps, 'isReading' | 'onDropped'>) {
  const isOver = useFileDrag(onDropped);
  return (
    <div className={classNames('drop-zone', isOver && 'drop-zone--over')} aria-busy={isReading}>
      <span className="empty-icon">
        {isReading ? <span className="spinner" aria-hidden="true" /> : <Icon name="drop" />}
      </span>
      <p className="drop-call" role="status">
        {isReading ? 'Looking through it…' : isOver ? 'Let go to take it' : <Call />}
      </p>
      <div className="row drop-ways">
        <FileButton kind="folder" onDropped={onDropped} />
        <FileButton kind="zip" onDropped={onDropped} />
      </div>
    </div>
  );
}

/** What to do here. */
function Call() {
  return (
    <>
      <span className="drop-folders">Drop a folder or a zip here</span>
      <span className="drop-zips">Choose a zip of your folder</span>
    </>
  );
}

/**
 * Opens the browser's file chooser. Phones have none for folders. It keeps the focus while files are read, and
 * takes others instead of them, as the zone does.
 */
function FileButton({ kind, onDropped }: { kind: 'folder' | 'zip' } & Pick<WaitingProps, 'onDropped'>) {
  const input = useRef<HTMLInputElement>(null);
  const isFolder = kind === 'folder';
  return (
    <span className={isFolder ? 'drop-folders' : undefined}>
      <Button variant={isFolder ? 'primary' : 'plain'} onClick={() => input.current?.click()}>
        {isFolder ? 'Choose a folder' : 'Choose a zip'}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        data-kind={kind}
        aria-label={isFolder ? 'A folder' : 'A zip'}
        {...(isFolder ? { webkitdirectory: '' } : { accept: '.zip,application/zip' })}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // Else choosing it again, when it was corrected, would be no change.
          currentTarget.value = '';
          if (files.length > 0) onDropped(() => collectFiles(files));
        }}
      />
    </span>
  );
}
