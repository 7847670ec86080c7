import type { FoundDevice } from '@spaceport/contract/account-access';
import type { DecidedDevice, ShownForm } from '@spaceport/contract/first-data';
import { useState } from 'preact/compat';
import type { PageProps } from '../../app/pages.ts';
import { Approval } from './approval.tsx';
import { CodeForm } from './code-form.tsx';
import { Decided } from './decided.tsx';

/** The step of a device's sign-in. `isNew` is true if it replaced another step on this page. */
type Step = { readonly isNew: boolean } & (
  | { readonly is: 'code'; readonly form: ShownForm | null }
  | { readonly is: 'asked'; readonly asked: FoundDevice; readonly form: ShownForm | null }
  | { readonly is: 'decided'; readonly decided: DecidedDevice }
);

/** /device: a creator types a device's code, sees what asks, and says yes or no (RFC 8628 §3.3, §5.4). */
export default function DevicePage({ data: { form, asked, decided } }: PageProps<'device'>) {
  const [step, setStep] = useState<Step>(() => {
    if (decided !== null) return { is: 'decided', decided, isNew: false };
    if (asked !== null) return { is: 'asked', asked, form, isNew: false };
    return { is: 'code', form, isNew: false };
  });
  if (step.is === 'decided') return <Decided {...step} />;
  if (step.is === 'code')
    return (
      <CodeForm
        {...step}
        onFound={(found) => setStep({ is: 'asked', asked: found, form: null, isNew: true })}
      />
    );
  return (
    <Approval
      {...step}
      onOther={() => setStep({ is: 'code', form: null, isNew: true })}
      onDecided={(made) => setStep({ is: 'decided', decided: made, isNew: true })}
    />
  );
}
