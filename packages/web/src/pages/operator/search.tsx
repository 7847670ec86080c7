import { useState } from 'preact/compat';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

/** A search field, sent by Enter or the button. Emptying it shows everything again. */
export function Search({
  label,
  value,
  onSearch,
}: {
  label: string;
  value: string;
  onSearch: (q: string) => void;
}) {
  const [words, setWords] = useState(value);
  // Back and Forward change the search, too.
  const [searched, setSearched] = useState(value);
  if (searched !== value) {
    setSearched(value);
    setWords(value);
  }
  return (
    <search>
      <form
        className="row operator-search"
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(words.trim());
        }}
      >
        <span className="operator-search-field">
          <Icon name="search" />
          <input
            className="input"
            type="search"
            aria-label={label}
            placeholder={label}
            value={words}
            maxLength={200}
            onChange={({ currentTarget: { value } }) => {
              setWords(value);
              if (value === '') onSearch('');
            }}
          />
        </span>
        <Button type="submit" variant="plain">
          Search
        </Button>
      </form>
    </search>
  );
}
