/** Rows of the first schema, for tests of migrations. `now` is in epoch milliseconds. */
export function earlySpace(id: string, now: number) {
  return {
    id,
    slug: 'game',
    owner_id: null,
    hosted: 1,
    claimed: 0,
    url: null,
    state: 'unlisted',
    title: 'Game',
    space_type: 'game',
    devices: '[]',
    ai_tools: '[]',
    models: '[]',
    page: '{}',
    page_unlisted: 0,
    search_title: 'game',
    search_description: '',
    states_before: '[]',
    takes: 0,
    plays: 0,
    next_version: 200,
    revision: 1,
    created_at: now,
    updated_at: now,
  };
}

/** Returns a finished preview without its space, number and bytes. */
export function earlyVersion(id: string, now: number) {
  return {
    id,
    status: 'preview',
    stopped: 0,
    fields: '{}',
    declarations: '{}',
    files: 1,
    created_by: 'clm_1',
    created_at: now,
    links_expire_at: now,
    left_behind: 0,
  };
}
