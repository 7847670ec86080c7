import { useForm } from '../../../data/use-form.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { textOf } from '../../../ui/form-page.tsx';
import { Card, Notice } from '../../../ui/surfaces.tsx';
import { showToast } from '../../../ui/toast.tsx';

const fields = [
  {
    name: 'host',
    check: (typed: string) => (typed === '' ? 'Write a name such as games.example.org.' : undefined),
  },
] as const;

/** A form that sets or changes the host name. `host` is the current name, or empty. */
export function DomainForm({ host, write }: { host: string; write: (host: string) => Promise<void> }) {
  const isFirst = host === '';
  const form = useForm(fields, async (sent) => {
    await write(textOf(sent, 'host').trim());
    showToast('Now add the two records to its DNS.');
  });
  return (
    <Card title={isFirst ? 'Give it a host name' : 'Another name'}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          form.send(new FormData(event.currentTarget));
        }}
      >
        {form.above && <Notice tone="bad">{form.above}</Notice>}
        <Field
          label="Host name"
          name="host"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellcheck={false}
          placeholder="games.example.org"
          problem={form.at('host')}
          hint={
            isFirst
              ? 'You must be able to add records to its DNS. The next step shows which.'
              : `It replaces ${host} at once, which then does not point to the space any more.`
          }
        />
        <div>
          <Button type="submit" variant={isFirst ? 'primary' : 'plain'} busy={form.busy}>
            {isFirst ? 'Set it' : 'Change it'}
          </Button>
        </div>
      </form>
    </Card>
  );
}
