import { cliLine } from '@spaceport/contract/cli-line';
import { useOrigin } from '../../app/app.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { Icon } from '../../ui/icon.tsx';

/** Three ways to the first space. */
export function HowToPublish() {
  const origin = useOrigin();
  return (
    <ul className="ways">
      <li className="card">
        <h2>
          <Icon name="drop" /> Drop a folder
        </h2>
        <p className="quiet">
          A folder or a zip with an index.html. You see a preview before anyone else does.
        </p>
        <LinkButton href="/drop" variant="plain">
          Choose files
        </LinkButton>
      </li>
      <li className="card">
        <h2>
          <Icon name="terminal" /> From a terminal
        </h2>
        <p className="quiet">Sends only what changed; goes live once it passes the safety check.</p>
        <CodeBlock
          wrap
          label="Commands"
          code={`${cliLine(origin, 'login')}\n${cliLine(origin, 'publish ./my-game --live')}`}
        />
      </li>
      <li className="card">
        <h2>
          <Icon name="spark" /> With a coding agent
        </h2>
        <p className="quiet">Tell it where to read how. You approve its sign-in in your browser.</p>
        <CodeBlock wrap label="Prompt" code={`Publish this game.\nHow: ${origin}/llms.txt`} />
      </li>
    </ul>
  );
}
