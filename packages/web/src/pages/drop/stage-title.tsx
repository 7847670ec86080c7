import { type ReactNode, useEffect, useRef } from 'react';

/** The heading of a stage that replaced another one: it takes the focus, so that whoever hears the page is told. */
export function StageTitle({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
