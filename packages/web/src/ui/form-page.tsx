import { type FormHTMLAttributes, type ReactNode, useEffect, useRef } from 'react';
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
  /** It replaced another page in this document: its heading takes the focus, so that whoever hears it is told. */
  isNew?: boolean;
  /** Between heading and form: what has just happened. */
  before?: ReactNode;
  /** Links to other pages, each on a line of its own. */
  below?: readonly ReactNode[];
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(isNew ? title : null);
  useEffect(() => {
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

/** The form itself, in a card, with what is wrong with it at the top. Script sends it, with the value of the pressed button. */
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
        const { submitter } = event.nativeEvent as SubmitEvent;
        onSend(new FormData(event.currentTarget, submitter));
      }}
    >
      {failure && <Notice tone="bad">{failure}</Notice>}
      {children}
    </form>
  );
}

/** A field of a form that was sent, as text. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
