import { CodeBlock } from '../../ui/copy.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';

/** How to put something here: from a terminal, with a coding agent, or by hand. */
export function Publish({ isFirst }: { isFirst: boolean }) {
  return (
    <section id="publish" className="publish" aria-labelledby="publish-title">
      <div className="publish-lead">
        <h2 id="publish-title">
          {isFirst ? 'Nothing has been published yet. Be the first.' : 'Publish yours'}
        </h2>
        <p className="quiet">
          A folder with an index.html is all it takes. No account needed: the page stays for a week, and can
          be claimed.
        </p>
      </div>
      <ul className="publish-ways">
        <Way icon="terminal" title="From a terminal" text="Checks it, sends it, prints the address.">
          <CodeBlock label="Command" code="npx spaceport publish ./my-game --anonymous" />
        </Way>
        <Way icon="spark" title="With a coding agent" text="Tell it where to read how, and let it publish.">
          <CodeBlock label="Prompt" code={`Publish this game.\nHow: ${location.origin}/llms.txt`} />
        </Way>
        <Way icon="code" title="From your own tools" text="Everything these pages do, the API does.">
          <p>
            <a href="/docs/api">Read the API reference</a>
          </p>
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
  children: React.ReactNode;
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
