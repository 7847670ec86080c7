import { deviceLabels, spaceTypeLabels } from '@spaceport/contract/labels';
import { type DeviceType, deviceTypes, type SpaceType, spaceTypes } from '@spaceport/contract/spaces';
import { useState } from 'react';
import { client } from '../../data/client.ts';
import { useAction } from '../../data/use-action.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Check, Field, Select } from '../../ui/field.tsx';
import { showToast } from '../../ui/toast.tsx';

/** Lists a page without an owner: whoever made it can claim it by the proof tag. */
export function ListDialog({ onClose, onListed }: { onClose: () => void; onListed: () => void }) {
  const [url, setUrl] = useState('');
  const [title, setTitle] = useState('');
  const [type, setType] = useState<SpaceType>('game');
  const [devices, setDevices] = useState<readonly DeviceType[]>(['desktop']);
  const { run, busy, failure } = useAction(async () => {
    const listed = await client.listSpaceWithoutOwner({
      body: { url, title, space_type: type, devices: [...devices] },
    });
    showToast(`${listed.title} is listed.`);
    onListed();
  });
  const problems = failure?.problems ?? {};
  return (
    <FormDialog
      title="List a page"
      onClose={onClose}
      action="List it"
      busy={busy}
      failure={failure?.text}
      onSubmit={run}
    >
      <p className="quiet">
        A page that runs somewhere else, listed without an owner. Whoever made it can claim it later.
      </p>
      <Field
        label="Address"
        type="url"
        inputMode="url"
        placeholder="https://"
        value={url}
        problem={problems.url}
        onChange={({ target }) => setUrl(target.value)}
      />
      <Field
        label="Title"
        value={title}
        maxLength={80}
        problem={problems.title}
        onChange={({ target }) => setTitle(target.value)}
      />
      <Select
        label="Type"
        value={type}
        options={spaceTypes.map((each) => [each, spaceTypeLabels[each].one] as const)}
        onChange={({ target }) => setType(spaceTypes.find((each) => each === target.value) ?? 'game')}
      />
      <fieldset>
        <legend>Devices</legend>
        <div className="row">
          {deviceTypes.map((device) => (
            <Check
              key={device}
              label={deviceLabels[device]}
              checked={devices.includes(device)}
              onChange={({ target }) =>
                setDevices(target.checked ? [...devices, device] : devices.filter((each) => each !== device))
              }
            />
          ))}
        </div>
        {problems.devices && <p className="error">{problems.devices}</p>}
      </fieldset>
    </FormDialog>
  );
}
