import type { DocumentFiles, DocumentHead, DocumentProps, Social } from '@spaceport/contract/document';
import type { DocumentFrame, Viewer } from '@spaceport/contract/document-frame';
import type { FirstData } from '@spaceport/contract/first-data';
import type { NamedLink } from '@spaceport/contract/named-link';
import { DataBlock } from './data-block.tsx';
import { shorten } from './shorten.ts';

const longestDescription = 300;

/** The document around every page. `page` is the markup of its main part. */
export function Document({ head, files, links, frame, content, page }: DocumentProps & { page: string }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <title>{`${head.title} · Spaceport`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {/* The colours of the header, which the browser's own bar goes on with (tokens.css: --surface). */}
        <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#17191f" media="(prefers-color-scheme: dark)" />
        <About {...head} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <Files {...files} isLate={content.page === 'space'} />
      </head>
      <body>
        <a className="skip" href="#main">
          Skip to the content
        </a>
        <Bar {...frame} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own renderer made it, and escaped what is in it */}
        <div id="page" dangerouslySetInnerHTML={{ __html: page }} />
        <footer className="foot">
          <a href="/">Gallery</a> <a href="/#publish">Publish</a> <a href="/docs/api">API</a>{' '}
          <a href="/llms.txt">For agents</a>
          {footLinks(links, frame.contact).map(({ label, href }) => (
            <span key={href}>
              {' '}
              <a href={href}>{label}</a>
            </span>
          ))}
        </footer>
        {content.page !== null && (
          <DataBlock
            type="application/json"
            id="first-data"
            data={{ ...content, frame } satisfies FirstData}
          />
        )}
        {/* At the end, where it delays nothing. */}
        {head.described && <DataBlock type="application/ld+json" data={head.described} />}
      </body>
    </html>
  );
}

function footLinks(links: readonly NamedLink[], contact: NamedLink | null): readonly NamedLink[] {
  return contact === null ? links : [...links, { label: 'Contact', href: contact.href }];
}

function About({ title, description, index, social }: DocumentHead) {
  const text = description && shorten(description, longestDescription);
  return (
    <>
      {!index && <meta name="robots" content="noindex" />}
      {text !== undefined && <meta name="description" content={text} />}
      {social && <SocialTags {...social} title={title} text={text} />}
    </>
  );
}

function SocialTags({
  canonical,
  type,
  image,
  oembed,
  title,
  text,
}: Social & { title: string; text: string | undefined }) {
  return (
    <>
      <link rel="canonical" href={canonical} />
      <meta property="og:site_name" content="Spaceport" />
      <meta property="og:type" content={type} />
      <meta property="og:title" content={title} />
      <meta property="og:url" content={canonical} />
      {text !== undefined && <meta property="og:description" content={text} />}
      <meta property="og:image" content={image.url} />
      <meta property="og:image:width" content={String(image.width)} />
      <meta property="og:image:height" content={String(image.height)} />
      <meta property="og:image:alt" content={title} />
      <meta name="twitter:card" content="summary_large_image" />
      {oembed !== undefined && (
        <link rel="alternate" type="application/json+oembed" href={oembed} title={title} />
      )}
    </>
  );
}

/** `isLate` is true if the frame in the page comes before the page's own script: early.ts starts it. */
function Files({
  early,
  styles,
  fonts,
  script,
  preloads,
  isLate,
}: DocumentFiles & { readonly isLate: boolean }) {
  return (
    <>
      {/* Before the styles, which scripts after them wait for. The frame of a space loads when it has run. */}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: it is our own, and cannot end its element */}
      <script dangerouslySetInnerHTML={{ __html: early.text }} />
      {fonts.map((font) => (
        <link key={font} rel="preload" href={font} as="font" type="font/woff2" crossOrigin="anonymous" />
      ))}
      {styles.map((style) => (
        <link key={style} rel="stylesheet" href={style} />
      ))}
      {isLate ? (
        <meta name="late-scripts" content={[script, ...preloads].join(' ')} />
      ) : (
        <>
          {script !== null && <script type="module" src={script} />}
          {preloads.map((module) => (
            <link key={module} rel="modulepreload" href={module} />
          ))}
        </>
      )}
    </>
  );
}

function Bar({ viewer, returnTo }: DocumentFrame) {
  return (
    <header className="bar">
      <a className="brand" href="/">
        <BarIcon name="brand" />
        Spaceport
      </a>
      <nav aria-label="Account">
        <button
          className="icon-button theme-toggle needs-script"
          type="button"
          data-theme-toggle=""
          aria-label="Dark colours"
          aria-pressed="false"
        >
          <BarIcon name="moon" />
          <BarIcon name="sun" />
        </button>
        <a className="item" href="/#publish">
          Publish
        </a>
        {viewer ? <SignedIn {...viewer} /> : <SignedOut next={returnTo} />}
      </nav>
    </header>
  );
}

/** They are not files: a phone took 30 ms to load them, before the first frame of a game. */
const barIcons = {
  brand:
    'M12 1.5c3.9 3 5.7 6.800 5.700 10.900 0 1-.1 1.900-.3 2.800l3.100 3.300c.3.4.4.9.3 1.300l-.6 2.200-4.400-1.900c-.5.6-1 1.100-1.600 1.600h-4.400c-.6-.5-1.100-1-1.600-1.600L3.800 22l-.6-2.200c-.1-.4 0-.9.3-1.300l3.100-3.300c-.2-.9-.3-1.800-.3-2.800 0-4.100 1.800-7.900 5.700-10.900Zm0 7a2.400 2.400 0 1 0 0 4.800 2.400 2.400 0 0 0 0-4.800Z',
  moon: 'M20.500 14.200A8.500 8.500 0 0 1 9.800 3.500a8.500 8.500 0 1 0 10.700 10.700Z',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 2v2M12 20v2M4.900 4.900l1.400 1.400M17.700 17.700l1.400 1.400M2 12h2M20 12h2M4.900 19.100l1.400-1.400M17.700 6.300l1.400-1.400',
} as const;

function BarIcon({ name }: { name: keyof typeof barIcons }) {
  return (
    <svg className={`icon icon--${name}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={barIcons[name]} />
    </svg>
  );
}

function SignedOut({ next }: { next: string }) {
  const query = new URLSearchParams({ next });
  return (
    <>
      <a className="item" href={`/sign-in?${query}`} data-way-in="">
        Sign in
      </a>
      <a className="item item--strong" href={`/sign-up?${query}`} data-way-in="">
        Sign up
      </a>
    </>
  );
}

function SignedIn({ handle, name, operator }: Viewer) {
  return (
    <>
      <button className="account" type="button" popoverTarget="account-menu">
        <span className="name">{handle === null ? name : `@${handle}`}</span>
      </button>
      <div className="menu-list menu-list--account" id="account-menu" popover="auto">
        {handle !== null && <a href={`/@${handle}`}>Your page</a>}
        <a href="/dashboard">Your spaces</a>
        <a href="/me">What you played</a>
        <a href="/settings">Settings</a>
        {operator && <a href="/operator">Operate</a>}
        <hr />
        <a href="/sign-out">Sign out</a>
      </div>
    </>
  );
}
