import { isFrozen } from '@spaceport/contract/frozen';
import { Button } from '../../../ui/button.tsx';
import { FailureText } from '../../../ui/refusal.tsx';
import { OptionalFields, RequiredFields } from '../../../ui/space-fields.tsx';
import { Card, Notice } from '../../../ui/surfaces.tsx';
import { useOwnSpace } from '../own-space.tsx';
import { AddressCard } from './address-card.tsx';
import { ClaimCard } from './claim-card.tsx';
import { DangerCard } from './danger-card.tsx';
import { fieldLabels } from './draft.ts';
import { PageSettingsCard } from './page-settings-card.tsx';
import { PictureCard } from './picture-card.tsx';
import { type Draft, useDraft } from './use-draft.ts';
import './page.css';

/** The public side of a space: its fields, its page, its picture, its address. */
export default function PageSection() {
  const { space } = useOwnSpace();
  const draft = useDraft();
  const { shown, problems, change, save } = draft;
  return (
    <div className="page-columns">
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <fieldset className="stack" disabled={isFrozen(space)}>
          <Card title="Listing">
            <div className="stack">
              <RequiredFields draft={shown} problems={problems} onChange={change} />
              <OptionalFields draft={shown} problems={problems} onChange={change} />
            </div>
          </Card>
          <PageSettingsCard draft={draft} />
        </fieldset>
        <SaveBar draft={draft} />
      </form>
      <div className="stack">
        {!space.hosted && <ClaimCard />}
        <PictureCard />
        <AddressCard />
        <DangerCard />
      </div>
    </div>
  );
}

/** A bar that stays in view and says that changes are not saved. */
function SaveBar({ draft }: { draft: Draft }) {
  const { changed, conflicts, failure, problems, busy, discard, takeTheirs } = draft;
  if (changed.length === 0) return null;
  const list = (names: Draft['changed']) => names.map((name) => fieldLabels[name]).join(', ');
  const isConflict = conflicts.length > 0;
  return (
    <section className="save-bar" aria-label="Unsaved changes">
      {isConflict && (
        <Notice
          tone="warn"
          actions={
            <Button size="small" variant="plain" onClick={takeTheirs}>
              Take theirs
            </Button>
          }
        >
          <strong>Changed elsewhere too: {list(conflicts)}.</strong> Save to put yours in its place, or take
          what is there now. Your other changes are kept either way.
        </Notice>
      )}
      {failure !== null && (
        <Notice tone="bad">
          {Object.keys(problems).length > 0 && 'Nothing was saved. '}
          <FailureText failure={failure} />
        </Notice>
      )}
      <div className="row row--apart">
        <p className="small">
          <strong>Not saved:</strong> {list(changed)}
        </p>
        <div className="row">
          <Button variant="quiet" onClick={discard}>
            Discard
          </Button>
          <Button type="submit" busy={busy}>
            {isConflict ? 'Save mine' : 'Save'}
          </Button>
        </div>
      </div>
    </section>
  );
}
