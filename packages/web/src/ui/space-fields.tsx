import { deviceLabels, spaceTypeLabels } from '@spaceport/contract/labels';
import {
  type DeviceType,
  deviceTypes,
  maxTags,
  type SpaceType,
  spaceTypes,
} from '@spaceport/contract/spaces';
import { CheckGroup } from './check-group.tsx';
import { ChipsField } from './chips-field.tsx';
import { Counted } from './counted-field.tsx';
import { Check, Field, Select } from './field.tsx';
import type { FieldsDraft } from './fields-draft.ts';
import './space-fields.css';
import { toTag } from './tags.tsx';

type Problems = Readonly<Record<string, string>>;

interface FieldsProps {
  readonly draft: FieldsDraft;
  /** The service's problems, by field. */
  readonly problems: Problems;
  readonly onChange: (change: Partial<FieldsDraft>) => void;
}

/** The required fields: title, type and devices. */
export function RequiredFields({ draft, problems, onChange }: FieldsProps) {
  return (
    <>
      <Counted
        label="Title"
        max={80}
        value={draft.title}
        problem={problems.title}
        onChange={(title) => onChange({ title })}
      />
      <Select
        label="Type"
        value={draft.space_type}
        problem={problems.space_type}
        options={[
          ...(draft.space_type === '' ? [['', 'Choose…'] as const] : []),
          ...spaceTypes.map((type) => [type, spaceTypeLabels[type].one] as const),
        ]}
        // The select's options are exactly the types.
        onChange={({ currentTarget }) => onChange({ space_type: currentTarget.value as SpaceType })}
      />
      <Devices
        chosen={draft.devices}
        problem={problems.devices}
        onChange={(devices) => onChange({ devices })}
      />
    </>
  );
}

/** The optional fields of a space. */
export function OptionalFields({ draft, problems, onChange }: FieldsProps) {
  return (
    <>
      <Counted
        label="Description"
        hint="What players read under it."
        lines
        max={2_000}
        value={draft.description}
        problem={problems.description}
        onChange={(description) => onChange({ description })}
      />
      <ChipsField
        label="Tags"
        hint="Words to find it by: puzzle, two-players…"
        max={maxTags}
        maxCharacters={24}
        values={draft.tags}
        problem={listProblem(problems, 'tags')}
        onChange={(tags) => onChange({ tags: [...new Set(tags.map(toTag))] })}
      />
      <Counted
        label="Engine"
        hint="Godot, Unity, Phaser, none…"
        max={60}
        value={draft.engine}
        problem={problems.engine}
        onChange={(engine) => onChange({ engine })}
      />
      <ChipsField
        label="AI tools"
        hint="What it was made with: agents and editors."
        max={10}
        maxCharacters={60}
        values={draft.ai_tools}
        problem={listProblem(problems, 'ai_tools')}
        onChange={(ai_tools) => onChange({ ai_tools })}
      />
      <ChipsField
        label="Models"
        max={10}
        maxCharacters={60}
        values={draft.models}
        problem={listProblem(problems, 'models')}
        onChange={(models) => onChange({ models })}
      />
      <Counted
        label="How it was made"
        lines
        max={4_000}
        value={draft.how_made}
        problem={problems.how_made}
        onChange={(how_made) => onChange({ how_made })}
      />
      <Field
        label="Source code"
        type="url"
        inputMode="url"
        placeholder="https://"
        value={draft.source_url}
        problem={problems.source_url}
        onChange={({ currentTarget }) => onChange({ source_url: currentTarget.value })}
      />
    </>
  );
}

function Devices({
  chosen,
  problem,
  onChange,
}: {
  chosen: readonly DeviceType[];
  problem: string | undefined;
  onChange: (devices: DeviceType[]) => void;
}) {
  return (
    <CheckGroup label="Made for" problem={problem}>
      {(box) => (
        <div className="check-row">
          {deviceTypes.map((device) => (
            <Check
              key={device}
              label={deviceLabels[device]}
              checked={chosen.includes(device)}
              onChange={({ currentTarget }) =>
                onChange(
                  deviceTypes.filter((each) =>
                    each === device ? currentTarget.checked : chosen.includes(each),
                  ),
                )
              }
              {...box}
            />
          ))}
        </div>
      )}
    </CheckGroup>
  );
}

/** Returns the problem of a list or of one of its entries. */
function listProblem(problems: Problems, name: string): string | undefined {
  return problems[name] ?? Object.entries(problems).find(([path]) => path.startsWith(`${name}.`))?.[1];
}
