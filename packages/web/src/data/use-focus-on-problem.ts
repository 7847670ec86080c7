import { useEffect, useRef } from 'preact/compat';

/**
 * Leads a person to the first field with a problem after a form was refused: the focus goes there, so that a
 * screen reader says the problem and a phone shows the field. Whoever has gone on to something else meanwhile
 * is left there. Returns the function to call when the form is sent.
 */
export function useFocusOnProblem(error: unknown): () => void {
  const sender = useRef<Element | null>(null);
  useEffect(() => {
    const { activeElement, body } = document;
    // A press on a button does not focus it in Safari.
    const isWaiting = activeElement === sender.current || activeElement === body;
    if (error === null || !isWaiting) return;
    const form = sender.current?.closest('form') ?? document;
    const field = form.querySelector<HTMLElement>('[aria-invalid="true"]');
    // Nothing in a folded part of the form can have the focus, or is seen.
    field?.closest('details')?.setAttribute('open', '');
    field?.focus();
  }, [error]);
  return () => {
    sender.current = document.activeElement;
  };
}
