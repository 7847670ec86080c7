import type { ProblemData } from '@spaceport/contract/first-data';
import type { Gone } from '../gallery/space-pages.ts';
import { ServiceError } from '../platform/errors.ts';
import { refreshSeconds } from '../serving/plain-pages.ts';
import type { PageDocument } from './page-scope.ts';

export interface Told {
  readonly status: number;
  readonly requestId: string;
  readonly headers: Record<string, string>;
  /** Whether the same request may be sent again: it changes nothing. */
  readonly isRepeatable: boolean;
}

/** Returns the page for an error: what went wrong, and what to do next. */
export function errorPage(error: unknown, { status, requestId, headers, isRepeatable }: Told): PageDocument {
  const text = messageOf(error, status);
  if (status === 503 && isRepeatable)
    return problemPage(
      status,
      { ...headers, refresh: refreshSeconds },
      {
        title: 'Just a moment',
        text: 'The service is busy or away. This page tries again by itself in a few seconds.',
        requestId: null,
      },
    );
  if (status === 404)
    return problemPage(status, headers, {
      title: 'There is nothing here',
      text: `${text} It may have been renamed or taken down, or the address has a typing mistake.`,
      requestId: null,
    });
  return problemPage(status, headers, {
    title: 'That did not work',
    text,
    requestId: status === 500 ? requestId : null,
  });
}

/** Returns the page for an address whose content is not shown, or not any more, with the reason. */
export function gonePage({ title, why }: Gone): PageDocument {
  return problemPage(410, {}, { title, text: why, requestId: null });
}

function problemPage(status: number, headers: Record<string, string>, data: ProblemData): PageDocument {
  return { status, headers, title: data.title, client: { page: 'problem', data } };
}

function messageOf(error: unknown, status: number): string {
  if (error instanceof ServiceError && status < 500) return error.message;
  return status === 503
    ? 'The service is busy or away for a moment. Try again shortly.'
    : 'Something went wrong on our side.';
}
