import { ServiceError } from '../platform/errors.ts';
import { html } from './html.ts';
import type { PageDocument } from './page-scope.ts';

export interface Told {
  readonly status: number;
  readonly requestId: string;
  readonly headers: Record<string, string>;
  readonly isSignedIn: boolean;
}

/** What went wrong, and where to go on from there. */
export function errorPage(error: unknown, { status, requestId, headers, isSignedIn }: Told): PageDocument {
  if (status === 404)
    return {
      status,
      headers,
      title: 'Nothing here',
      body: html`<div class="empty"><h1>There is nothing here</h1>
<p>${messageOf(error, status)} It may have been renamed or taken down, or the address has a typing mistake.</p>
<p class="row"><a class="button button--primary" href="/">See what there is to play</a>${isSignedIn && html` <a class="button button--plain" href="/dashboard">Your spaces</a>`}</p></div>`,
    };
  return {
    status,
    headers,
    title: 'That did not work',
    body: html`<h1>That did not work</h1>
<div class="card"><p role="alert">${messageOf(error, status)}</p>
${status === 500 ? html`<p class="quiet">If you tell us about it, name the request <code>${requestId}</code>.</p>` : null}
<p>${isSignedIn ? html`<a href="/settings">Go to your settings</a>` : html`<a href="/">Go to the gallery</a>`}</p></div>`,
  };
}

function messageOf(error: unknown, status: number): string {
  if (error instanceof ServiceError && status < 500) return error.message;
  return status === 503
    ? 'The service is busy or away for a moment. Try again shortly.'
    : 'Something went wrong on our side.';
}
