import type { Domain } from '@spaceport/contract/domains';
import { Notice } from '../../../ui/surfaces.tsx';
import { TimeAgo } from '../../../ui/text.tsx';

/** The state of a host name, and the result of the last check. */
export function DomainState({ own }: { own: Domain }) {
  return (
    <div className="domain-state stack stack--tight">
      {own.state === 'live' ? (
        <Live own={own} />
      ) : own.state === 'failed' ? (
        <Over own={own} />
      ) : (
        <Waiting own={own} />
      )}
    </div>
  );
}

function Live({ own: { host, since, reason } }: { own: Domain }) {
  return (
    <>
      <p>
        It went live <TimeAgo at={since} />: the space is served at{' '}
        <a href={`https://${host}/`}>https://{host}/</a> too. Leave both records in the DNS.
      </p>
      {reason !== undefined && (
        <Notice tone="warn">
          <strong>Its records are missing.</strong> {reason} After a day without them the name stops working.
        </Notice>
      )}
    </>
  );
}

function Over({ own: { since, reason } }: { own: Domain }) {
  return (
    <Notice tone="bad">
      <strong>The name failed.</strong> We stopped checking <TimeAgo at={since} />: its records did not appear
      in 7 days. {reason} Begin again to get a new TXT record.
    </Notice>
  );
}

function Waiting({ own: { since, looking, reason } }: { own: Domain }) {
  return (
    <>
      <p>
        We began to check its records <TimeAgo at={since} />. We check every ten minutes, for 7 days.
      </p>
      <Notice>
        {looking ? 'We are checking them now.' : (reason ?? 'The DNS gave no answer. We will ask again.')}
      </Notice>
    </>
  );
}
