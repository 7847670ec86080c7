import { client } from '../../../data/client.ts';
import { useLoad } from '../../../data/use-load.ts';
import { useRefresh } from '../../../data/use-refresh.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Card, EmptyState, Skeleton } from '../../../ui/surfaces.tsx';
import { useOwnSpace } from '../own-space.tsx';
import { DomainCard } from './domain-card.tsx';
import { DomainForm } from './domain-form.tsx';
import { readOwnDomain } from './read-own-domain.ts';

const lookAgainMs = 2_000;

/** The space's own host name: its state, its missing DNS records, and a form to change it. */
export default function DomainSection() {
  const { space, domain: first } = useOwnSpace();
  const { slug, hosted } = space;
  const params = { slug };
  const read = useLoad(slug, (signal) => readOwnDomain(slug, signal), first);
  const { value, error, reload, set } = read;
  // Reads the result of the check that is under way.
  useRefresh(read, value?.own?.looking === true ? lookAgainMs : null);
  const write = async (host: string) => set({ own: await client.putDomain({ params, body: { host } }) });
  const remove = async () => {
    await client.deleteDomain({ params });
    set({ own: null });
  };
  const own = value?.own ?? null;
  return (
    <div className="stack">
      <div>
        <h2 className="said">Host name</h2>
        <p className="quiet small">
          A name of yours, such as games.example.org, where the space is served too. Visitors there see the
          space alone, without its page here.
        </p>
      </div>
      {error !== null && (
        <Card>
          <ErrorState error={error} retry={reload} />
        </Card>
      )}
      {value === null && error === null && (
        <Card>
          <Skeleton height={9} />
        </Card>
      )}
      {own !== null && <DomainCard own={own} write={write} remove={remove} />}
      {value !== null && hosted && <DomainForm key={own?.host} host={own?.host ?? ''} write={write} />}
      {value !== null && own === null && !hosted && (
        <Card>
          <EmptyState title="It runs elsewhere" level={3}>
            <p className="quiet">Its host name is there. One here is for versions that are published here.</p>
          </EmptyState>
        </Card>
      )}
    </div>
  );
}
