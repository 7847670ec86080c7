import { maxQueryLength } from '@spaceport/contract/gallery';
import { useEffect, useRef } from 'preact/compat';
import { Icon } from '../../ui/icon.tsx';
import { type Asked, textIn } from './asked.ts';

/** Pause in typing before a search: people pause longer than this only between words. */
const pauseMs = 150;

interface SearchFieldProps {
  readonly asked: Asked;
  /** Called when typing pauses. */
  readonly onSearch: (q: string) => void;
  readonly onEnter: (q: string) => void;
}

/** The search field. It searches when typing pauses, and at once on Enter. Without script it is a form. */
export function SearchField({ asked, onSearch, onEnter }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const pause = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    const showEntry = () => {
      clearTimeout(pause.current);
      if (field.current) field.current.value = textIn(location.search);
    };
    addEventListener('popstate', showEntry);
    return () => {
      clearTimeout(pause.current);
      removeEventListener('popstate', showEntry);
    };
  }, []);
  return (
    <search>
      <form
        className="gallery-search"
        method="get"
        action="/"
        onSubmit={(event) => {
          event.preventDefault();
          clearTimeout(pause.current);
          onEnter(String(new FormData(event.currentTarget).get('q') ?? ''));
        }}
      >
        <Icon name="search" />
        <input
          ref={field}
          className="input"
          type="search"
          name="q"
          aria-label="Search"
          placeholder="Search"
          maxLength={maxQueryLength}
          defaultValue={asked.q}
          onChange={({ currentTarget: { value } }) => {
            clearTimeout(pause.current);
            pause.current = setTimeout(() => onSearch(value), pauseMs);
          }}
        />
        {asked.tag !== null && <input type="hidden" name="tag" value={asked.tag} />}
        {asked.spaceType !== null && <input type="hidden" name="space_type" value={asked.spaceType} />}
        {asked.sort !== null && <input type="hidden" name="sort" value={asked.sort} />}
      </form>
    </search>
  );
}
