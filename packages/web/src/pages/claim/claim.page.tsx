import type { ClaimedSpace } from '@spaceport/contract/first-data';
import { useEffect, useState } from 'preact/compat';
import type { PageProps } from '../../app/pages.ts';
import { forgetClaim } from '../../data/kept-claims.ts';
import { LinkButton } from '../../ui/button.tsx';
import { FormPage } from '../../ui/form-page.tsx';
import { dropToken, keepToken, takeToken, tokenIn } from './kept-token.ts';
import { Offer } from './offer.tsx';
import { TokenForm } from './token-form.tsx';

/** /claim: an account takes over a page that was published without one. */
export default function ClaimPage({ data }: PageProps<'claim'>) {
  const [token, setToken] = useState<string | null>(null);
  const [claimed, setClaimed] = useState<ClaimedSpace | null>(data.claimed);
  // A second claim link that is opened in this tab changes only the fragment.
  useEffect(() => {
    // The server never sees the fragment: the document comes with the form for a token.
    setToken(takeToken());
    const change = () => {
      const brought = tokenIn(location.hash);
      if (brought === null) return;
      setToken(takeToken());
      setClaimed(null);
    };
    addEventListener('hashchange', change);
    return () => removeEventListener('hashchange', change);
  }, []);
  if (claimed !== null) return <Claimed space={claimed} />;
  if (token === null)
    return (
      <TokenForm
        form={data.form}
        onToken={(typed) => {
          keepToken(typed);
          setToken(typed);
        }}
      />
    );
  return (
    <Offer
      key={token}
      token={token}
      onOther={() => {
        dropToken();
        setToken(null);
      }}
      onClaimed={(space) => {
        dropToken();
        forgetClaim(token);
        setClaimed(space);
      }}
    />
  );
}

function Claimed({ space: { slug, title, service_url } }: { space: ClaimedSpace }) {
  return (
    <FormPage key="claimed" title="It is yours" isNew>
      <div className="card stack">
        <p>
          <strong>{title}</strong> is now in your account, with its versions. To show it to everyone, put one
          of them live.
        </p>
        <LinkButton whole href={`/dashboard/${slug}`}>
          Manage it
        </LinkButton>
        <LinkButton whole variant="plain" href={service_url}>
          Go to its page
        </LinkButton>
      </div>
    </FormPage>
  );
}
