import { client } from '../../../data/client.ts';
import { useAction } from '../../../data/use-action.ts';
import { useLoad } from '../../../data/use-load.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Check } from '../../../ui/field.tsx';
import { FailureNotice } from '../../../ui/refusal.tsx';
import { Card, Skeleton } from '../../../ui/surfaces.tsx';

/** The switch for mails about errors of new versions. */
export function ErrorMails({ slug }: { slug: string }) {
  const params = { slug };
  const { value, error, reload, set } = useLoad(slug, (signal) =>
    client.readErrorMails({ params }, { signal }),
  );
  const change = useAction(async (on: boolean) => set(await client.setErrorMails({ params, body: { on } })));
  if (error !== null) return <ErrorState error={error} retry={reload} />;
  return (
    <Card title="Mail">
      {value === null ? (
        <Skeleton height={3} />
      ) : (
        <Check
          label="Mail me when a new version breaks something"
          hint="In its first week, for an error that is new in this version and that several players have: at most one mail a day."
          // While it is changed it shows what was asked for. Disabled, it would lose the focus.
          checked={value.on !== change.busy}
          onChange={({ currentTarget }) => change.run(currentTarget.checked)}
        />
      )}
      <FailureNotice failure={change.failure} />
    </Card>
  );
}
