import type { PageProps } from '../../app/pages.ts';
import { Button } from '../../ui/button.tsx';
import { FormCard, FormPage } from '../../ui/form-page.tsx';
import { HandleField } from './handle-field.tsx';
import { useHandle } from './use-handle.ts';

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
