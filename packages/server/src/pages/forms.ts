import type { Issue } from '@spaceport/contract/errors';
import type { ShownForm } from '@spaceport/contract/first-data';

export type { ShownForm as FormState } from '@spaceport/contract/first-data';

import type { ServiceError } from '../platform/errors.ts';
import { type Html, html } from './html.ts';

export const emptyForm: ShownForm = { values: {}, problems: {}, problem: null };

/** A form after a refusal. A problem with a field that the form has stands beside it, any other above the form. */
export function refusedForm(
  values: Readonly<Record<string, string>>,
  { message, details }: ServiceError,
  fields: readonly string[],
): ShownForm {
  const issues: readonly Issue[] = details.issues ?? [];
  const own = issues.filter(({ path }) => fields.includes(path));
  const problems = Object.fromEntries(own.map((issue) => [issue.path, issue.message]));
  return { values, problems, problem: own.length > 0 ? null : message };
}

export interface Field {
  readonly name: string;
  /** Of the element, where another form on the page has a field of the same name. */
  readonly id?: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  /** What the browser's password manager should fill in. */
  readonly autocomplete: string;
  readonly hint?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly className?: string;
  readonly isOptional?: true;
}

/** A labelled input. What was typed is kept, unless it is a password. */
export function field(form: ShownForm, spec: Field): Html {
  const {
    name,
    label,
    type = 'text',
    autocomplete,
    hint,
    minLength,
    maxLength,
    className,
    isOptional,
    id = name,
  } = spec;
  const problem = form.problems[name];
  const noteId = hint === undefined && problem === undefined ? null : `${id}-note`;
  return html`<div class="field">
<label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}" autocomplete="${autocomplete}" spellcheck="false"${[
    className === undefined ? null : html` class="${className}"`,
    type === 'password' ? null : html` value="${form.values[name] ?? ''}"`,
    autocomplete === 'name' ? null : html` autocapitalize="none"`,
    minLength === undefined ? null : html` minlength="${minLength}"`,
    maxLength === undefined ? null : html` maxlength="${maxLength}"`,
    isOptional ? null : html` required`,
    noteId === null ? null : html` aria-describedby="${noteId}"`,
    problem === undefined ? null : html` aria-invalid="true"`,
  ]}>
${noteId === null ? null : note(noteId, problem, hint)}
</div>`;
}

function note(id: string, problem: string | undefined, hint: string | undefined): Html {
  return problem === undefined
    ? html`<p class="hint" id="${id}">${hint}</p>`
    : html`<p class="error" id="${id}">${label(problem)}</p>`;
}

/** Above a form: what is wrong with the whole of it. */
export function formProblem({ problem }: ShownForm): Html | null {
  return problem === null ? null : html`<p class="notice bad" role="alert">${problem}</p>`;
}

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

function label(problem: string): string {
  return `It ${problem}.`;
}
