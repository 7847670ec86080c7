import { type FormHTMLAttributes, type ReactNode, useLayoutEffect, useRef } from 'preact/compat';
import { useTitle } from '../app/address.ts';
import { Main, Notice } from './surfaces.tsx';

/** A page that is one form. */
export function FormPage({
  title,
  isNew = false,
  before,
  below,
  children,
}: {
  title: string;
  /** Whether it replaced another page in this document: its heading takes the focus for screen readers. */
  isNew?: boolean;
  /** Content between heading and form, about what has just happened. */
  before?: ReactNode;
  /** Links to other pages, one per line. */
  below?: readonly ReactNode[];
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(isNew ? title : null);
  // After the next frame somebody may be in a field already.
  useLayoutEffect(() => {
    if (isNew) heading.current?.focus();
  }, [isNew]);
  return (
    <Main width="narrow">
      <div className="form-page">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {before}
        {children}
        {below?.map((way, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they do not move
          <p key={at} className="below">
            {way}
          </p>
        ))}
      </div>
    </Main>
  );
}

/** The form in a card, with its problem at the top. Script sends it, with the value of the pressed button. */
export function FormCard({
  failure,
  onSend,
  children,
  ...form
}: {
  failure?: ReactNode;
  onSend: (form: FormData) => void;
  children: ReactNode;
} & FormHTMLAttributes<HTMLFormElement>) {
  return (
    <form
      className="card stack"
      method="post"
      noValidate
      {...form}
      onSubmit={(event) => {
        event.preventDefault();
        onSend(new FormData(event.currentTarget, event.submitter));
      }}
    >
      {failure && <Notice tone="bad">{failure}</Notice>}
      {children}
    </form>
  );
}

/** Returns a field of a sent form as text. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
