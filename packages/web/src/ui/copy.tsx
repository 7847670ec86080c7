import { useEffect, useState } from 'preact/compat';
import { Button, IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { showToast } from './toast.tsx';

/** Returns a function that copies, and whether it has just copied. */
function useCopy(): [copied: boolean, copy: (text: string) => void] {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (text: string) => {
    const failed = () =>
      showToast('The browser did not let us copy: select the text and copy it yourself.', 'bad');
    // Only pages over a secure connection have a clipboard.
    if (!navigator.clipboard) return failed();
    navigator.clipboard.writeText(text).then(() => setCopied(true), failed);
  };
  return [copied, copy];
}

/** A value to copy: an address, or a token that is shown once. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const [copied, copy] = useCopy();
  return (
    <div className="copy-field">
      <input
        className="input"
        readOnly
        aria-label={label}
        value={value}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button variant="plain" icon={copied ? 'check' : 'copy'} onClick={() => copy(value)}>
        {copied ? 'Copied' : 'Copy'}
      </Button>
      <span className="said" role="status">
        {copied && `${label} copied`}
      </span>
    </div>
  );
}

/**
 * A line that breaks between its words: a browser also breaks after a hyphen, and `--anonymous` read like two words.
 * A word is broken only if it is longer than the line.
 */
function Words({ text }: { text: string }) {
  return text.split(/(\s+)/u).map((word, at) =>
    /\S/u.test(word) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: they do not move
      <span key={at} className="code-word">
        {word}
      </span>
    ) : (
      word
    ),
  );
}

/** Lines for a terminal or a file, to be copied. */
export function CodeBlock({
  code,
  label = 'Code',
  wrap = false,
  long = false,
}: {
  code: string;
  label?: string;
  /** Breaks long lines: for text rather than code. */
  wrap?: boolean;
  /** Scrolls if it has many lines. */
  long?: boolean;
}) {
  const [copied, copy] = useCopy();
  return (
    <div className={classNames('code-block', wrap && 'code-block--wrap', long && 'code-block--long')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{wrap && !long ? <Words text={code} /> : code}</code>
      </pre>
      <IconButton
        className="code-copy"
        icon={copied ? 'check' : 'copy'}
        label={copied ? 'Copied' : `Copy ${label.toLowerCase()}`}
        onClick={() => copy(code)}
      />
      <span className="said" role="status">
        {copied && 'Copied'}
      </span>
    </div>
  );
}
