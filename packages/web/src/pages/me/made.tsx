import type { OwnPlay } from '@spaceport/contract/own-play';
import { LinkButton } from '../../ui/button.tsx';
import { nameOfMade } from '../../ui/name-of-made.ts';
import { Rows } from '../../ui/play-lists.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { Num, TimeAgo } from '../../ui/text.tsx';
import { Asking, OneButton } from './me-forms.tsx';

/** The items that the viewer made for other players of a space. */
export function Made({ made }: Pick<OwnPlay, 'made'>) {
  return (
    <Card title="What you made">
      <Rows>
        {made.map(({ id, space, kind, title, likes, created_at }) => {
          const name = nameOfMade({ kind, title });
          return (
            <li key={id}>
              <div>
                <strong>{name}</strong>
                <p className="quiet small">
                  {title !== '' && `${kind} · `}
                  <a href={`/s/${space.slug}`}>{space.title}</a> · published <TimeAgo at={created_at} /> ·{' '}
                  <Num value={likes} /> {likes === 1 ? 'like' : 'likes'}
                </p>
              </div>
              <div className="row">
                <LinkButton
                  variant="plain"
                  size="small"
                  href={`/api/player/me/content/${id}`}
                  download={`${space.slug}-${kind}-${id}.json`}
                  aria-label={`Download ${name}`}
                >
                  Download
                </LinkButton>
                <Asking action="Remove" of={name}>
                  <p className="small">Nobody sees it then, and its likes are gone.</p>
                  <OneButton
                    to="/me/content/remove"
                    fields={{ id }}
                    name={`Remove ${name}`}
                    variant="danger"
                  />
                </Asking>
              </div>
            </li>
          );
        })}
      </Rows>
    </Card>
  );
}
