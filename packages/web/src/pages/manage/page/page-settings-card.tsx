import { useEffect, useRef } from 'preact/compat';
import { useElementId } from '../../../app/element-id.tsx';
import {
  darkGround,
  enoughContrast,
  lightGround,
  type ReadableAccent,
  readableAccent,
} from '../../../ui/accent.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Check, Field } from '../../../ui/field.tsx';
import { Card } from '../../../ui/surfaces.tsx';
import type { Draft } from './use-draft.ts';

const maxLinks = 5;

/** The settings for the look and content of a space's page. */
export function PageSettingsCard({ draft: { shown, problems, change } }: { draft: Draft }) {
  return (
    <Card title="Its page">
      <div className="stack">
        <Accent
          value={shown.accent}
          problem={problems['page.accent']}
          onChange={(accent) => change({ accent })}
        />
        <Links links={shown.links} problems={problems} onChange={(links) => change({ links })} />
        <div>
          <Check
            label="Show its boards"
            checked={shown.show_boards}
            onChange={({ currentTarget }) => change({ show_boards: currentTarget.checked })}
          />
          <Check
            label="Show how it was made"
            hint="Engine, AI tools, models and the text about it."
            checked={shown.show_how_made}
            onChange={({ currentTarget }) => change({ show_how_made: currentTarget.checked })}
          />
          <Check
            label="Keep it out of the gallery"
            hint="Anyone with its address can still open it. Search engines are asked not to list it."
            checked={shown.unlisted}
            onChange={({ currentTarget }) => change({ unlisted: currentTarget.checked })}
          />
        </div>
      </div>
    </Card>
  );
}

const isColour = (text: string) => /^#[0-9a-f]{6}$/iu.test(text);

function Accent({
  value,
  problem,
  onChange,
}: {
  value: string;
  problem: string | undefined;
  onChange: (value: string) => void;
}) {
  const id = useElementId();
  const wrong = value !== '' && !isColour(value) ? 'A colour looks like #1a2b3c.' : problem;
  return (
    <div className="field">
      <label htmlFor={id}>Colour</label>
      <div className="row">
        <input
          className="swatch"
          type="color"
          aria-label="Pick a colour"
          value={isColour(value) ? value : '#4442cf'}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
        <input
          className="input colour-text"
          id={id}
          value={value}
          placeholder="None"
          spellcheck={false}
          aria-describedby={`${id}-notes`}
          aria-invalid={wrong ? true : undefined}
          onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
        />
        {value !== '' && (
          <Button variant="quiet" onClick={() => onChange('')}>
            Use ours
          </Button>
        )}
      </div>
      <div id={`${id}-notes`} className="field-notes">
        {wrong && <p className="error">{wrong}</p>}
        {isColour(value) && <AccentPreview accent={readableAccent(value)} />}
      </div>
    </div>
  );
}

/** Shows the colour on light and on dark, if it differs from the chosen one. */
function AccentPreview({ accent }: { accent: ReadableAccent }) {
  const sides = [
    {
      name: 'light',
      colour: accent.light,
      on: accent.onLight,
      contrast: accent.contrastOnLight,
      change: 'darkened',
      ground: lightGround,
      ink: '#191a1f',
    },
    {
      name: 'dark',
      colour: accent.dark,
      on: accent.onDark,
      contrast: accent.contrastOnDark,
      change: 'lightened',
      ground: darkGround,
      ink: '#eceef2',
    },
  ];
  return (
    <div className="accent-previews">
      {sides.map(({ name, colour, on, contrast, change, ground, ink }) => (
        <div key={name} className="accent-preview" style={{ background: ground, color: ink }}>
          <span className="accent-button" style={{ background: colour, color: on }}>
            Play
          </span>
          <span style={{ color: colour }}>A link</span>
          <small>
            {contrast >= enoughContrast
              ? `${contrast.toFixed(1)} : 1, easy to read`
              : `${contrast.toFixed(1)} : 1 is too little, so it is ${change} here`}
          </small>
        </div>
      ))}
    </div>
  );
}

type Links = Draft['shown']['links'];

function Links({
  links,
  problems,
  onChange,
}: {
  links: Links;
  problems: Draft['problems'];
  onChange: (links: Links) => void;
}) {
  const list = useRef<HTMLFieldSetElement>(null);
  const isAdded = useRef(false);
  // One goes on to write the label of a new link, whose button may be unusable by now.
  useEffect(() => {
    if (!isAdded.current) return;
    isAdded.current = false;
    [...(list.current?.querySelectorAll('.link-row') ?? [])].at(-1)?.querySelector('input')?.focus();
  });
  const put = (at: number, part: Partial<Links[number]>) =>
    onChange(links.map((link, index) => (index === at ? { ...link, ...part } : link)));
  return (
    <fieldset ref={list} className="field">
      <legend className="label">Links</legend>
      {links.map((link, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a link is its place in the list
        <div className="link-row" key={at}>
          <Field
            label="Label"
            value={link.label}
            problem={problems[`page.links.${at}.label`]}
            onChange={({ currentTarget }) => put(at, { label: currentTarget.value })}
          />
          <Field
            label="Address"
            type="url"
            inputMode="url"
            placeholder="https://"
            value={link.url}
            problem={problems[`page.links.${at}.url`]}
            onChange={({ currentTarget }) => put(at, { url: currentTarget.value })}
          />
          <IconButton
            icon="trash"
            label={`Remove the link ${link.label}`}
            onClick={() => onChange(links.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <div>
        <Button
          size="small"
          variant="plain"
          icon="plus"
          disabled={links.length >= maxLinks}
          onClick={() => {
            isAdded.current = true;
            onChange([...links, { label: '', url: '' }]);
          }}
        >
          Add a link
        </Button>{' '}
        <span className="hint small quiet">
          {links.length} of {maxLinks}
        </span>
      </div>
    </fieldset>
  );
}
