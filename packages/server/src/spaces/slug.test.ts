import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { nextSlug, slugFromTitle } from './slug.ts';

const slug = /^(?!.*--)[a-z0-9](?:[a-z0-9-]{1,46}[a-z0-9])$/u;

describe('slugs', () => {
  it('are made from their title', () => {
    assert.equal(slugFromTitle("Zoë's  Été!"), 'zoes-ete');
    assert.equal(slugFromTitle('Go'), 'go-space');
    assert.equal(slugFromTitle('API'), 'api-space');
  });

  it('have 3 to 48 of a-z, 0-9 and single hyphens, whatever the title and however often tried', () => {
    const long = fc.string({ unit: fc.constantFrom('a', 'Z', '7', '-', ' ', 'é', '’'), maxLength: 120 });
    const titles = fc.oneof(fc.string({ unit: 'grapheme' }), long);
    fc.assert(
      fc.property(titles, fc.integer({ min: 1, max: 30 }), (title, attempt) => {
        const wanted = slugFromTitle(title);
        assert.match(wanted, slug);
        assert.match(nextSlug(wanted, attempt), slug);
      }),
    );
  });
});
