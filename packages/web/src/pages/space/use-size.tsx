import type { DeviceType } from '@spaceport/contract/spaces';
import { type ReactNode, useState } from 'preact/compat';
import { handBackKeys } from '../../ui/game-keys.ts';

/** `wide` fills the stage; `phone` and `tablet` have the shape of an upright device. */
export type StageSize = 'wide' | 'tablet' | 'phone';

const labels: Readonly<Record<StageSize, string>> = { wide: 'Wide', tablet: 'Tablet', phone: 'Phone' };

/** The size of the stage, with its control. At first it is the size that the space was made for. */
export function useSize(devices: readonly DeviceType[]): [StageSize, ReactNode] {
  const fitting = sizesFor(devices);
  const [size, setSize] = useState<StageSize>(fitting[0] ?? 'wide');
  const choice = (
    <fieldset className="choice-row stage-sizes script-only" aria-label="Size">
      {fitting.length > 1 &&
        fitting.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === size}
            onClick={() => {
              setSize(each);
              handBackKeys();
            }}
          >
            {labels[each]}
          </button>
        ))}
    </fieldset>
  );
  return [size, choice];
}

function sizesFor(devices: readonly DeviceType[]): StageSize[] {
  const wide = devices.some((device) => device === 'desktop' || device === 'gamepad' || device === 'vr');
  const sizes: StageSize[] = wide ? ['wide'] : [];
  if (devices.includes('tablet')) sizes.push('tablet');
  if (devices.includes('mobile')) sizes.push('phone');
  return sizes;
}
