import { deviceLabels, spaceTypeLabels } from '@spaceport/contract/labels';
import { type DeviceType, deviceTypes, type SpaceType, spaceTypes } from '@spaceport/contract/spaces';
import { client } from '../../data/client.ts';
import { FieldsDialog } from '../../ui/fields-dialog.tsx';
import { chosenOf, type FormField, tickedOf } from '../../ui/form-field.tsx';
import { textOf } from '../../ui/form-page.tsx';
import { showToast } from '../../ui/toast.tsx';

const fields: readonly FormField[] = [
  { name: 'url', label: 'Address', type: 'url', inputMode: 'url', placeholder: 'https://' },
  { name: 'title', label: 'Title', maxLength: 80 },
  {
    is: 'select',
    name: 'space_type',
    label: 'Type',
    options: spaceTypes.map((type) => [type, spaceTypeLabels[type].one]),
    defaultValue: 'game',
  },
  {
    is: 'boxes',
    name: 'devices',
    label: 'Devices',
    options: deviceTypes.map((device) => [device, deviceLabels[device]]),
    ticked: ['desktop'],
  },
];

/** Lists a page without an owner. Its maker can claim it later by the proof tag. */
export function ListDialog({ onClose, onListed }: { onClose: () => void; onListed: () => void }) {
  return (
    <FieldsDialog
      title="List a page"
      action="List it"
      fields={fields}
      onSend={async (sent) => {
        const { title } = await client.listSpaceWithoutOwner({
          body: {
            url: textOf(sent, 'url'),
            title: textOf(sent, 'title'),
            space_type: chosenOf<SpaceType>(sent, 'space_type'),
            devices: tickedOf<DeviceType>(sent, 'devices'),
          },
        });
        showToast(`${title} is listed.`);
        onListed();
      }}
      onClose={onClose}
    >
      <p className="quiet">
        A page that runs somewhere else, listed without an owner. Its maker can claim it later.
      </p>
    </FieldsDialog>
  );
}
