import { Card, Skeleton } from '../../ui/surfaces.tsx';

/** The placeholder of a section that is loading. */
export function SectionSkeleton() {
  return (
    <div className="stack script-only" aria-busy="true">
      <span className="said" role="status">
        Loading
      </span>
      <Card>
        <Skeleton height={1.6} width="12rem" />
        <Skeleton height={9} />
      </Card>
      <Card>
        <Skeleton height={1.6} width="9rem" />
        <Skeleton height={40} />
      </Card>
    </div>
  );
}
