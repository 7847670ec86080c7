import { coverTypes, maxCoverBytes } from '@spaceport/contract/covers';
import { useRef, useState } from 'preact/compat';
import { client } from '../../../data/client.ts';
import { useAction } from '../../../data/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { FailureNotice } from '../../../ui/refusal.tsx';
import { Notice } from '../../../ui/surfaces.tsx';
import { useOwnSpace } from '../own-space.tsx';

/** Uploads a cover, and removes it. */
export function CoverButtons() {
  const { space, reload } = useOwnSpace();
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const params = { slug: space.slug };
  const upload = useAction(async () => {
    if (file === null) return;
    const body = new Uint8Array(await file.arrayBuffer());
    await client.putCover({ params, body }, { headers: { 'content-type': file.type } });
    // Another one may have been chosen meanwhile.
    setFile((now) => (now === file ? null : now));
    await reload();
  });
  const remove = useAction(async () => {
    await client.deleteCover({ params });
    await reload();
  });
  const failure = upload.failure ?? remove.failure;
  const isTooLarge = file !== null && file.size > maxCoverBytes;
  return (
    <div className="stack stack--tight">
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Your own picture"
        accept={coverTypes.join()}
        onChange={({ currentTarget }) => {
          setFile(currentTarget.files?.[0] ?? null);
          // Else choosing it again, when it was made smaller, would be no change.
          currentTarget.value = '';
        }}
      />
      <p className="small quiet">
        {space.cover === null
          ? 'Or show your own picture: PNG, JPEG or WebP up to 4 MB, wide as 16:9.'
          : 'Players see the picture that you chose instead of the newest that was taken.'}
      </p>
      {isTooLarge && <Notice tone="bad">The picture is larger than 4 MB.</Notice>}
      <FailureNotice failure={failure} />
      <div className="row">
        <Button variant="plain" onClick={() => input.current?.click()}>
          {file === null ? 'Choose a picture…' : file.name}
        </Button>
        {file !== null && !isTooLarge && (
          <Button busy={upload.busy} onClick={upload.run}>
            Show it
          </Button>
        )}
        {space.cover !== null && (
          <Button variant="plain" busy={remove.busy} onClick={remove.run}>
            Take it away
          </Button>
        )}
      </div>
    </div>
  );
}
