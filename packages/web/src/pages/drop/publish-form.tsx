import { useState } from 'preact/compat';
import { useViewer } from '../../app/app.tsx';
import { useFocusOnProblem } from '../../data/use-focus-on-problem.ts';
import type { Loaded } from '../../data/use-load.ts';
import { HandleDialog } from '../../handle/handle-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { emptyFields } from '../../ui/fields-draft.ts';
import { RequiredFields } from '../../ui/space-fields.tsx';
import { Notice, Skeleton } from '../../ui/surfaces.tsx';
import { describeFailure, type Failure } from './describe-failure.ts';
import { DropFailure } from './drop-failure.tsx';
import type { Hashing } from './hashing.ts';
import type { Look } from './look-through.ts';
import { Preflight } from './preflight.tsx';
import type { NewFields, Target } from './target.ts';
import type { Order } from './use-publish.ts';
import { keyOf, likelyTarget } from './use-targets.ts';

interface PublishFormProps {
  readonly look: Look;
  readonly hashed: Hashing;
  readonly targets: Loaded<readonly Target[]>;
  /** Why the last try failed before a version was made. */
  readonly failure: Failure | null;
  /** The order of that try, which the form shows again. */
  readonly refused: Order | null;
  readonly onPublish: (order: Order) => void;
}

/** The form for the target and the fields, with defaults that are usually right. */
export function PublishForm({ targets, ...props }: PublishFormProps) {
  if (targets.error !== null)
    return <DropFailure failure={describeFailure(targets.error)} onRetry={targets.reload} />;
  if (targets.value === null) return <Skeleton height={24} />;
  return <Form {...props} targets={targets.value} />;
}

function Form({
  look,
  hashed,
  failure,
  refused,
  onPublish,
  targets,
}: Omit<PublishFormProps, 'targets'> & { targets: readonly Target[] }) {
  const viewer = useViewer();
  const { settings, guess, selection } = look;
  const [target, setTarget] = useState(
    () =>
      targets.find((each) => refused !== null && keyOf(each) === keyOf(refused.target)) ??
      likelyTarget(targets, { space: settings.space, folder: selection.name }),
  );
  const [fields, setFields] = useState<NewFields>(
    () =>
      refused?.fields ?? {
        title: settings.fields.title ?? guess.title,
        space_type: settings.fields.space_type ?? 'game',
        devices: settings.fields.devices ?? guess.devices,
      },
  );
  /** Made anew by each try with something missing. */
  const [missing, setMissing] = useState<object | null>(null);
  const noteSender = useFocusOnProblem(missing);
  const [hasHandle, setHasHandle] = useState(viewer === null || viewer.handle !== null);
  const [waitsForHandle, setWaitsForHandle] = useState<Order | null>(null);
  const problems = target.is === 'new' ? problemsOf(fields) : {};
  const publish = (live: boolean) => {
    noteSender();
    if (Object.keys(problems).length > 0) return setMissing({});
    const order = { look, target, fields: { ...fields, title: fields.title.trim() }, live };
    if (hasHandle) onPublish(order);
    else setWaitsForHandle(order);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    publish(false);
  };
  return (
    <>
      <form className="card stack" onSubmit={submit} noValidate>
        {targets.length > 1 && (
          <Select
            label="Where"
            value={keyOf(target)}
            options={optionsOf(targets, viewer !== null)}
            onChange={({ currentTarget: { value } }) =>
              setTarget(targets.find((each) => keyOf(each) === value) ?? { is: 'new' })
            }
          />
        )}
        {settings.space !== null && target.is === 'new' && (
          <Notice tone="warn">
            Its service.json belongs to the space “{settings.space}”, which is not yours here: this makes a
            new one.
          </Notice>
        )}
        {target.is === 'new' && (
          <div className="drop-fields">
            <RequiredFields
              draft={{ ...emptyFields, ...fields }}
              problems={missing !== null ? problems : {}}
              onChange={({ title, space_type, devices }) =>
                setFields({
                  title: title ?? fields.title,
                  space_type: space_type || fields.space_type,
                  devices: devices ? [...devices] : fields.devices,
                })
              }
            />
          </div>
        )}
        <Preflight look={look} target={target} fields={fields} hashed={hashed} />
        {failure && <DropFailure failure={failure} onRetry={() => publish(refused?.live ?? false)} />}
        <div className="row">
          <Button type="submit" size="large">
            Publish a preview
          </Button>
          {viewer && target.is !== 'claim' && (
            <Button size="large" variant="plain" onClick={() => publish(true)}>
              Publish live
            </Button>
          )}
        </div>
        <p className="quiet small">
          {viewer
            ? 'Only people with its link see a preview. It can go live once you have looked at it.'
            : 'It runs at once, for people with its address, for a week.'}
        </p>
      </form>
      {waitsForHandle && (
        <HandleDialog
          onClose={() => setWaitsForHandle(null)}
          onChosen={() => {
            setHasHandle(true);
            onPublish(waitsForHandle);
          }}
        />
      )}
    </>
  );
}

function problemsOf({ title, devices }: NewFields): Partial<Record<keyof NewFields, string>> {
  return {
    ...(title.trim() === '' && { title: 'Give it a title, so that it can be found.' }),
    ...(devices.length === 0 && { devices: 'Choose at least one.' }),
  };
}

/** Returns the value and the label of each target. Spaces of one title are told apart by their slugs. */
function optionsOf(targets: readonly Target[], isSignedIn: boolean): [string, string][] {
  const titles = targets.map((target) => (target.is === 'space' ? target.title : null));
  const isRepeated = (title: string) => titles.indexOf(title) !== titles.lastIndexOf(title);
  return targets.map((target) => {
    const label = labelOf(target, isSignedIn);
    const needsSlug = target.is === 'space' && isRepeated(target.title);
    return [keyOf(target), needsSlug ? `${label} (${target.slug})` : label];
  });
}

function labelOf(target: Target, isSignedIn: boolean): string {
  if (target.is === 'new') return isSignedIn ? 'A new space' : 'A new page';
  if (target.is === 'space') return target.title;
  return isSignedIn
    ? `${target.claim.title} (published without an account; it becomes yours)`
    : `${target.claim.title} (again)`;
}
