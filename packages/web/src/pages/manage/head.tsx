import type { OwnSpace } from '@spaceport/contract/listing';
import { parseUrl } from '@spaceport/contract/parse-url';
import { useQueryValue } from '../../app/address.ts';
import { useDocument } from '../../app/app.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Picture } from '../../ui/space-card.tsx';
import { StateBadge } from '../../ui/space-state.tsx';
import { Notice } from '../../ui/surfaces.tsx';
import { Badge } from '../../ui/text.tsx';
import { useOwnSpace } from './own-space.tsx';

/** The space's title, its state, and its problems. */
export function Head() {
  const { space } = useOwnSpace();
  const { title, hosted, live_version, claimed, url, service_url, state } = space;
  const isOnService = state === 'listed' || state === 'unlisted';
  return (
    <header className="manage-head">
      <Picture space={space} />
      <div className="manage-name">
        <p className="small">
          <a href="/dashboard">Your spaces</a>
        </p>
        <h1>{title}</h1>
        <p className="row">
          <StateBadge space={space} />
          {!claimed && <Badge tone="warn">Unclaimed</Badge>}
          <span className="quiet small">
            {hosted ? (
              live_version === null ? (
                'Nothing is live yet'
              ) : (
                `Version ${live_version} is live`
              )
            ) : (
              <>
                Runs at <a href={url ?? ''}>{parseUrl(url ?? '')?.host}</a>
              </>
            )}
          </span>
        </p>
      </div>
      {isOnService && (
        <LinkButton className="manage-open" variant="plain" icon="external" href={service_url}>
          Open its page
        </LinkButton>
      )}
      <Trouble space={space} />
    </header>
  );
}

/** What the operators wrote to the creator about it, and how they are asked. */
function OperatorsWords({ message }: { message: string | null }) {
  const { contact } = useDocument();
  const ask = contact && (
    <>
      : <a href={contact.href}>{contact.label}</a>
    </>
  );
  if (message === null) return <>Ask them why{ask ?? '.'}</>;
  return (
    <>
      They write:
      <blockquote className="manage-words prose">{message}</blockquote>
      {ask && <>Ask them{ask}</>}
    </>
  );
}

/** Shows why players cannot reach the space, and what to do about it. */
function Trouble({ space: { state, claimed, page_warning, operators_message } }: { space: OwnSpace }) {
  const [, go] = useQueryValue('section', 'versions');
  const toPage = (text: string) => (
    <Button size="small" variant="plain" onClick={() => go('page')}>
      {text}
    </Button>
  );
  return (
    <>
      {state === 'held' && (
        <Notice tone="warn">
          <strong>Under review.</strong> The operators of this service are reviewing it. Until they decide
          nobody can open it, you included, and nothing can be published or changed.{' '}
          <OperatorsWords message={operators_message} />
        </Notice>
      )}
      {state === 'offline' && (
        <Notice tone="warn" actions={toPage('Put it online')}>
          <strong>Offline.</strong> You have taken it offline: nobody can open it, you included. Previews
          still open.
        </Notice>
      )}
      {state === 'hidden' && (
        <Notice tone="warn">
          <strong>Hidden.</strong> The operators of this service have hidden it: nobody can open it, you
          included, and new versions are not checked. <OperatorsWords message={operators_message} />
        </Notice>
      )}
      {state === 'removed' && (
        <Notice tone="bad">
          <strong>Removed.</strong> The operators of this service removed it. Nothing can be published or
          changed here any more. <OperatorsWords message={operators_message} />
        </Notice>
      )}
      {!claimed && state !== 'removed' && (
        <Notice tone="warn" actions={toPage('Claim it')}>
          Nobody has shown yet that this page is theirs.
        </Notice>
      )}
      {page_warning !== null && (
        <Notice tone="warn" actions={toPage('Look again')}>
          <strong>The boards block of your page changes nothing.</strong> {page_warning}
        </Notice>
      )}
    </>
  );
}
