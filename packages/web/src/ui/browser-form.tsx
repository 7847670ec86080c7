import { type FormHTMLAttributes, useRef } from 'preact/compat';

/** An answer that takes longer than this may never come, and the form can be sent again. */
const answeredWithinMs = 10_000;

/**
 * A form that the browser itself sends, with script too. Pressed again before the answer is there, as by a
 * double-click, it is not sent a second time: the browser would show that answer alone, which says that the thing is
 * gone already.
 */
export function BrowserForm({ children, ...form }: FormHTMLAttributes<HTMLFormElement>) {
  const sentAt = useRef(Number.NEGATIVE_INFINITY);
  return (
    <form
      method="post"
      {...form}
      onSubmit={(event) => {
        if (event.timeStamp - sentAt.current < answeredWithinMs) event.preventDefault();
        else sentAt.current = event.timeStamp;
      }}
    >
      {children}
    </form>
  );
}
