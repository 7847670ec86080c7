import type { PageProps } from '../../app/pages.ts';
import { HandleField } from '../../handle/handle-field.tsx';
import { useHandle } from '../../handle/use-handle.ts';
import { Button } from '../../ui/button.tsx';
import { FormCard, FormPage } from '../../ui/form-page.tsx';

/** /handle: an account chooses its handle, once. */
export default function HandlePage({ data: { next } }: PageProps<'handle'>) {
  const state = useHandle(() => location.assign(next));
  return (
    <FormPage
      title="Choose your handle"
      below={[
        <a key="next" href={next}>
          Not now
        </a>,
      ]}
    >
      <FormCard failure={state.failure} onSend={state.choose}>
        <p>It is the name of your page and stands on everything you publish. It cannot be changed later.</p>
        <HandleField {...state} />
        <Button type="submit" whole busy={state.busy}>
          Take this handle
        </Button>
      </FormCard>
    </FormPage>
  );
}
