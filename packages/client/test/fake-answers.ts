export interface FakeAnswer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export const now = '2026-01-31T12:00:00.000Z';
export const me = {
  creator: { handle: 'ada', name: 'Ada', url: null, created_at: now },
  token: {
    created_at: now,
    expires_at: '2099-01-01T00:00:00.000Z',
    client_name: null,
    scopes: ['publish', 'boards', 'moderate'],
    space: null,
  },
};
export const limits = {
  maxFiles: 2_000,
  maxFileBytes: 200 * 2 ** 20,
  maxVersionBytes: 2 ** 30,
  uploadLinkSeconds: 7_200,
  maxBoards: 10,
  maxStats: 50,
  maxAchievements: 50,
};

export function ok(body: unknown): FakeAnswer {
  return { status: 200, body };
}

export function fail(
  status: number,
  code: string,
  error: string,
  headers: Record<string, string> = {},
): FakeAnswer {
  return { status, body: { error, code }, headers };
}
