import { leaveTo } from '../../app/leave.ts';
import type { PageProps } from '../../app/pages.ts';
import { AboutHandle, HandleField } from '../../handle/handle-field.tsx';
import { useHandle } from '../../handle/use-handle.ts';
import { Button } from '../../ui/button.tsx';
import { FormCard, FormPage } from '../../ui/form-page.tsx';

/** /handle: an account chooses its handle, once. */
export default function HandlePage({ data: { next, form } }: PageProps<'handle'>) {
  const state = useHandle(() => leaveTo(next), form);
  return (
    <FormPage
      title="Choose your handle"
      below={[
        <a key="next" href={next}>
          Not now
        </a>,
      ]}
    >
      <FormCard action="/handle" failure={state.failure} onSend={state.choose}>
        <input type="hidden" name="next" value={next} />
        <AboutHandle />
        <HandleField {...state} />
        <Button type="submit" whole busy={state.busy}>
          Take this handle
        </Button>
      </FormCard>
    </FormPage>
  );
}
