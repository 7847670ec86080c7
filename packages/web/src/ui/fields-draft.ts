import type { DeviceType, Space, SpaceFields, SpaceType } from '@spaceport/contract/spaces';

/** The listing fields in an editor. Missing texts are empty. */
export interface FieldsDraft {
  readonly title: string;
  readonly space_type: SpaceType | '';
  readonly devices: readonly DeviceType[];
  readonly description: string;
  readonly engine: string;
  readonly ai_tools: readonly string[];
  readonly models: readonly string[];
  readonly tags: readonly string[];
  readonly how_made: string;
  readonly source_url: string;
}

export const emptyFields: FieldsDraft = {
  title: '',
  space_type: '',
  devices: [],
  description: '',
  engine: '',
  ai_tools: [],
  models: [],
  tags: [],
  how_made: '',
  source_url: '',
};

/** Returns the listing fields of a space for an editor. */
export function fieldsOf(space: Space): FieldsDraft {
  return {
    title: space.title,
    space_type: space.space_type,
    devices: space.devices,
    description: space.description ?? '',
    engine: space.engine ?? '',
    ai_tools: space.ai_tools,
    models: space.models,
    tags: space.tags,
    how_made: space.how_made ?? '',
    source_url: space.source_url ?? '',
  };
}

/** Returns a new space's fields for the request, without empty ones. */
export function toNewFields(draft: FieldsDraft): Omit<SpaceFields, 'space_type'> & { space_type: SpaceType } {
  const given = (name: 'description' | 'engine' | 'how_made' | 'source_url') =>
    draft[name].trim() === '' ? {} : { [name]: draft[name] };
  return {
    title: draft.title,
    // If nothing was chosen, the service's refusal names the field.
    space_type: draft.space_type as SpaceType,
    devices: [...draft.devices],
    ai_tools: [...draft.ai_tools],
    models: [...draft.models],
    tags: [...draft.tags],
    ...given('description'),
    ...given('engine'),
    ...given('how_made'),
    ...given('source_url'),
  };
}
