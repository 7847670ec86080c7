import type { Domain } from '@spaceport/contract/domains';
import { CopyField } from '../../../ui/copy.tsx';

const purposes = {
  TXT: 'Proves that the name is yours. It has to stay.',
  CNAME:
    'Points the name to the space. At the top of a zone, where CNAME is not allowed, use ALIAS or ANAME with the same value, or its IP addresses.',
} as const satisfies Record<Domain['records'][number]['type'], string>;

/** The DNS records to copy. */
export function DomainRecords({ records }: Pick<Domain, 'records'>) {
  return records.map(({ type, name, value }) => (
    <section key={type} className="domain-record" aria-label={`${type} record`}>
      <h3>
        <code>{type}</code>
      </h3>
      <p className="quiet small">{purposes[type]}</p>
      <dl className="domain-parts">
        <dt>Name</dt>
        <dd>
          <CopyField label={`Name of the ${type} record`} value={name} />
        </dd>
        <dt>Value</dt>
        <dd>
          <CopyField label={`Value of the ${type} record`} value={value} />
        </dd>
      </dl>
    </section>
  ));
}
