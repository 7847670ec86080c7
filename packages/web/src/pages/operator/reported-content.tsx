import type { Report } from '@spaceport/contract/reports';

/** A reported item of a player. */
export function ReportedContent({ kind, title, handle }: NonNullable<Report['content']>) {
  if (kind === null) return <p className="quiet">Something that a player made; it is gone by now.</p>;
  return (
    <p>
      {title === '' ? `A ${kind}` : `The ${kind} «${title}»`}
      {handle !== null && (
        <>
          {' '}
          by <a href={`/@${handle}`}>@{handle}</a>
        </>
      )}
    </p>
  );
}
