import { LinkButton } from '../../ui/button.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { Asking, OneButton } from './me-forms.tsx';

/** Settings for the viewer's data: showing it to others, exporting it, and deleting it. */
export function OwnData({ isPublic, isEmpty }: { isPublic: boolean; isEmpty: boolean }) {
  return (
    <Card title="Your data">
      <ul className="settings-rows play-rows">
        <li>
          <div>
            <strong>Who sees it</strong>
            <p className="quiet small">
              {isPublic
                ? 'Others see your scores and achievements on your page. Only you see your saves and when you played.'
                : 'Only you see your scores and achievements together.'}{' '}
              Rankings show your scores in any case.
            </p>
          </div>
          <OneButton
            to="/me/public"
            fields={{ public: isPublic ? '0' : '1' }}
            name={isPublic ? 'Keep it to myself' : 'Show it to others'}
          />
        </li>
        {!isEmpty && (
          <>
            <li>
              <div>
                <strong>All your play data as a file</strong>
                <p className="quiet small">
                  One JSON file with every score, stat, achievement, save and thing you made, those of
                  previews too.
                </p>
              </div>
              <LinkButton variant="plain" size="small" href="/api/player/me/export" download="">
                Export
              </LinkButton>
            </li>
            <li>
              <div>
                <strong>Delete all your play data</strong>
                <p className="quiet small">
                  Scores, achievements, saves and what you made go from every space at once. Your account
                  stays.
                </p>
              </div>
              <Asking action="Delete all">
                <p className="small">This cannot be undone: export it first, if you may want it again.</p>
                <OneButton to="/me/delete" fields={{}} name="Delete everything I played" variant="danger" />
              </Asking>
            </li>
          </>
        )}
      </ul>
    </Card>
  );
}
