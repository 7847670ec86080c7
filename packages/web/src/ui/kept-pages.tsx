import { useEffect, useState } from 'preact/compat';
import { claimUrl, type KeptClaim, keptClaims } from '../data/kept-claims.ts';
import { LinkButton } from './button.tsx';
import { Card } from './surfaces.tsx';
import { TimeAgo } from './text.tsx';

/** Pages that were published from this browser without an account, and can still be claimed. */
export function KeptPages() {
  // Only the browser knows these pages, so they are read after hydration.
  const [claims, setClaims] = useState<readonly KeptClaim[]>([]);
  useEffect(() => setClaims(keptClaims()), []);
  if (claims.length === 0) return null;
  return (
    <Card title="Published from this browser">
      <ul className="rows">
        {claims.map(({ slug, title, pageUrl, expiresAt, claimToken }) => (
          <li key={slug} className="row row--apart">
            <div>
              <a href={pageUrl}>{title}</a>
              <p className="quiet small">
                ends <TimeAgo at={expiresAt} />
              </p>
            </div>
            <LinkButton
              size="small"
              variant="plain"
              href={claimUrl(claimToken)}
              aria-label={`Claim ${title}`}
            >
              Claim
            </LinkButton>
          </li>
        ))}
      </ul>
    </Card>
  );
}
