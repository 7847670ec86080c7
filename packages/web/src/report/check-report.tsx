import { portals } from '@spaceport/contract/portals';
import type { CheckReport, Finding, PageReport } from '@spaceport/contract/versions';
import { type ReactNode, useState } from 'preact/compat';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Badge, Bytes } from '../ui/text.tsx';
import { showToast } from '../ui/toast.tsx';
import './report.css';
import { parseUrl } from '@spaceport/contract/parse-url';
import { reportAsText } from './report-text.ts';

/** The report of a safety check: findings with fixes, and what the browser saw. */
export function Report({ report, number }: { report: CheckReport; number: number }) {
  const { findings, page } = report;
  const copy = () => {
    const failed = () => showToast('The browser did not let us copy the report.', 'bad');
    if (!navigator.clipboard) return failed();
    navigator.clipboard.writeText(reportAsText(report, number)).then(() => showToast('Copied.'), failed);
  };
  const isClean = findings.length === 0 && (page === undefined || isFine(page));
  return (
    <section className="stack report" aria-label={`Check of version ${number}`}>
      <div className="row row--apart">
        <h4>Safety check</h4>
        {!isClean && (
          <Button size="small" variant="quiet" icon="copy" onClick={copy}>
            Copy for your agent
          </Button>
        )}
      </div>
      {isClean && (
        <p className="row">
          <span className="good-mark">
            <Icon name="check" />
          </span>
          Nothing found.
        </p>
      )}
      {findings.length > 0 && (
        <ul className="findings">
          {findings.map((finding) => (
            <FindingItem key={`${finding.rule} ${finding.path} ${finding.message}`} finding={finding} />
          ))}
        </ul>
      )}
      {page && <PageCheck page={page} />}
    </section>
  );
}

const severities: Readonly<Record<Finding['severity'], { tone: 'bad' | 'warn'; text: string }>> = {
  refuse: { tone: 'bad', text: 'Refused for it' },
  unjudged: { tone: 'warn', text: 'Could not decide' },
  warn: { tone: 'warn', text: 'Warning' },
};

function FindingItem({ finding: { severity, path, message, fix } }: { finding: Finding }) {
  const { tone, text } = severities[severity];
  return (
    <li>
      <p className="row">
        <Badge tone={tone}>{text}</Badge>
        {path !== undefined && <code>{path}</code>}
      </p>
      <p>{message}</p>
      <p className="finding-fix">
        <Icon name="arrow-right" />
        <span>{fix}</span>
      </p>
    </li>
  );
}

/** Returns whether the page loaded, rendered something, and had no errors. */
export function isFine({ loaded, blank, consoleErrors, failedRequests }: PageReport): boolean {
  return loaded && !blank && consoleErrors.length === 0 && failedRequests.length === 0;
}

function PageCheck({ page }: { page: PageReport }) {
  const { loaded, blank, loadMs, bytes, clipUrl, consoleErrors, failedRequests, portals: found = [] } = page;
  return (
    <div className="page-check">
      {clipUrl !== undefined && (
        <img
          className="page-check-picture"
          src={clipUrl}
          alt="The page as the check saw it"
          loading="lazy"
          width={640}
          height={360}
        />
      )}
      <div className="stack">
        <dl className="facts">
          <dt>Page</dt>
          <dd>{loaded ? 'Loaded' : <Badge tone="bad">Did not load</Badge>}</dd>
          <dt>First frame</dt>
          <dd>{blank ? <Badge tone="warn">Blank: nothing was drawn</Badge> : 'Something is drawn'}</dd>
          <dt>Time to load</dt>
          <dd>
            <span className="number">{(loadMs / 1_000).toFixed(1)} s</span>
          </dd>
          <dt>Loaded</dt>
          <dd>
            <Bytes value={bytes} />
          </dd>
          {found.length > 0 && (
            <>
              <dt>Made for</dt>
              <dd>{found.map((portal) => portals[portal].name).join(', ')}: its SDK is answered here</dd>
            </>
          )}
        </dl>
        {failedRequests.length > 0 && (
          <Problems
            title={failedRequests.length === 1 ? 'A file was not found' : 'Files were not found'}
            items={failedRequests.map(({ url, reason, hint }) => (
              <>
                <code>{pathOf(url)}</code> <span className="quiet">{reason}</span>
                {hint !== undefined && (
                  <span className="finding-fix">
                    <Icon name="arrow-right" />
                    <span>{hint}</span>
                  </span>
                )}
              </>
            ))}
          />
        )}
        {consoleErrors.length > 0 && (
          <Problems
            title={consoleErrors.length === 1 ? 'An error in the console' : 'Errors in the console'}
            items={consoleErrors.map((text) => (
              <code key={text} className="console-error">
                {text}
              </code>
            ))}
          />
        )}
      </div>
    </div>
  );
}

const shownAtFirst = 5;

function Problems({ title, items }: { title: string; items: readonly ReactNode[] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, shownAtFirst);
  return (
    <div>
      <h5>
        {title} <span className="quiet">({items.length})</span>
      </h5>
      <ul className="problems">
        {shown.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a report never changes
          <li key={index}>{item}</li>
        ))}
      </ul>
      {shown.length < items.length && (
        <Button size="small" variant="quiet" onClick={() => setWhole(true)}>
          Show all {items.length}
        </Button>
      )}
    </div>
  );
}

/** Returns an address; on the space's own host only its path. */
function pathOf(url: string): string {
  const parsed = parseUrl(url);
  if (parsed === null) return url;
  return parsed.hostname.endsWith(`.${location.hostname}`) || parsed.hostname.includes('localhost')
    ? parsed.pathname + parsed.search
    : url;
}
