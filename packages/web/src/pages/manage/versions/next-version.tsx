import { cliLine } from '@spaceport/contract/cli-line';
import { useOrigin } from '../../../app/app.tsx';
import { LinkButton } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/copy.tsx';
import { Card } from '../../../ui/surfaces.tsx';

/** How to publish the next version. */
export function NextVersion({ slug, isFirst }: { slug: string; isFirst: boolean }) {
  const origin = useOrigin();
  return (
    <Card
      title={isFirst ? 'Publish the first version' : 'Publish the next version'}
      actions={
        <LinkButton size="small" variant="plain" icon="drop" href={`/drop?space=${slug}`}>
          Drop files here instead
        </LinkButton>
      }
    >
      <div className="stack stack--tight">
        <CodeBlock wrap label="Command" code={cliLine(origin, `publish ./my-game --space ${slug}`)} />
        <p className="quiet small">
          Makes a preview that only people with its link can open. With <code>--live</code> it goes live once
          it passes the safety check. Only files that changed are sent.
        </p>
      </div>
    </Card>
  );
}
