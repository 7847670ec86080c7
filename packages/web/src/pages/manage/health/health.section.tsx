import { useQueryValue } from '../../../app/address.ts';
import { ChoiceRow } from '../../../ui/choice-row.tsx';
import { useOwnSpace } from '../own-space.tsx';
import { ErrorMails } from './error-mails.tsx';
import { Errors } from './errors.tsx';
import './health.css';
import { Plays } from './plays.tsx';

const envs = [
  ['live', 'Live'],
  ['sandbox', 'Previews'],
] as const;

/** How a space runs in players' browsers: loads and play by version, and errors. */
export default function HealthSection() {
  const { space } = useOwnSpace();
  const [asked, setEnv] = useQueryValue('of', 'live');
  const [env] = envs.find(([each]) => each === asked) ?? envs[0];
  return (
    <div className="stack">
      <div className="row row--apart">
        <h2 className="said">Health</h2>
        <ChoiceRow label="Of what" choices={envs} chosen={env} onChoose={setEnv} />
        <p className="quiet small">The last 90 days. What you play yourself does not count.</p>
      </div>
      <Plays key={`plays ${env}`} slug={space.slug} env={env} />
      <Errors key={`errors ${env}`} slug={space.slug} env={env} />
      <ErrorMails slug={space.slug} />
    </div>
  );
}
