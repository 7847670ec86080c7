import type { FoundDevice } from '@spaceport/contract/account-access';
import { useState } from 'react';
import type { PageProps } from '../../app/pages.ts';
import { Approval } from './approval.tsx';
import { CodeForm } from './code-form.tsx';
import { Decided, type Decision } from './decided.tsx';

/** Where a device's sign-in stands. `isNew`: it replaced another step on this page. */
type Step =
  | { readonly is: 'code'; readonly isNew: boolean }
  | { readonly is: 'asked'; readonly asked: FoundDevice; readonly isNew: boolean }
  | { readonly is: 'decided'; readonly clientName: string | null; readonly decision: Decision };

/** /device: a creator types a device's code, sees what asks, and says yes or no (RFC 8628 §3.3, §5.4). */
export default function DevicePage({ data: { userCode, asked, problem } }: PageProps<'device'>) {
  const [step, setStep] = useState<Step>(
    asked === null ? { is: 'code', isNew: false } : { is: 'asked', asked, isNew: false },
  );
  if (step.is === 'decided') return <Decided {...step} />;
  if (step.is === 'code')
    return (
      <CodeForm
        userCode={step.isNew ? '' : (userCode ?? '')}
        problem={step.isNew ? null : problem}
        isNew={step.isNew}
        onFound={(found) => setStep({ is: 'asked', asked: found, isNew: true })}
      />
    );
  return (
    <Approval
      asked={step.asked}
      isNew={step.isNew}
      onOther={() => setStep({ is: 'code', isNew: true })}
      onDecided={(decision) => setStep({ is: 'decided', clientName: step.asked.client_name, decision })}
    />
  );
}
