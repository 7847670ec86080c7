import { cliLine } from '@spaceport/contract/cli-line';
import type { ReactNode } from 'preact/compat';
import { useDocument } from '../../app/app.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CodeBlock } from '../../ui/copy.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';

/** Shows how to publish: by dropping a folder, from a terminal, with a coding agent, or by hand. */
export function Publish({ isFirst }: { isFirst: boolean }) {
  const { origin, needsAccount } = useDocument();
  return (
    <section
      id="publish"
      className={classNames('publish', isFirst && 'publish--first')}
      aria-label={isFirst ? 'How to publish' : undefined}
      aria-labelledby={isFirst ? undefined : 'publish-title'}
    >
      <div className="publish-lead">
        {!isFirst && <h2 id="publish-title">Publish yours</h2>}
        <p className="quiet">
          {isFirst && 'Nothing has been published yet: be the first. '}A folder with an index.html is all it
          takes.{' '}
          {needsAccount
            ? 'You need an account here.'
            : 'No account needed: the page stays for a week, and you can claim it to keep it.'}
        </p>
      </div>
      <ul className="publish-ways">
        <Way icon="drop" title="By hand" text="Drop a folder or a zip; see it run before you share it.">
          <LinkButton href="/drop" variant={isFirst ? 'primary' : 'plain'} whole>
            Open the drop zone
          </LinkButton>
        </Way>
        <Way icon="terminal" title="From a terminal" text="Checks it, sends it, prints the address.">
          <CodeBlock
            wrap
            label="Command"
            code={cliLine(origin, needsAccount ? 'publish ./my-game' : 'publish ./my-game --anonymous')}
          />
        </Way>
        <Way icon="spark" title="With a coding agent" text="Paste this; it reads how, and publishes.">
          <CodeBlock wrap label="Prompt" code={`Publish this: ${origin}/llms.txt`} />
        </Way>
      </ul>
    </section>
  );
}

function Way({
  icon,
  title,
  text,
  children,
}: {
  icon: IconName;
  title: string;
  text: string;
  children: ReactNode;
}) {
  return (
    <li className="card publish-way">
      <h3>
        <Icon name={icon} /> {title}
      </h3>
      <p className="quiet small">{text}</p>
      {children}
    </li>
  );
}
