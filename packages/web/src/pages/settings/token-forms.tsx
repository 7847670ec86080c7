import type { ShownForm, TokenChoice } from '@spaceport/contract/first-data';
import type { OwnToken } from '@spaceport/contract/own-tokens';
import { type Scope, usualScopes } from '@spaceport/contract/scopes';
import { type Form, useForm } from '../../data/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { ScopeChoice } from '../../ui/scope-choice.tsx';
import { SpaceSelect } from '../../ui/space-select.tsx';
import { Notice } from '../../ui/surfaces.tsx';
import { AskingWithoutScript, sentByBrowser } from './setting.tsx';

export interface MakeProps {
  readonly choice: TokenChoice;
  readonly operator: boolean;
}

/** The fields for the rights and the lifetime of a new token. */
export function NewTokenFields({
  choice,
  operator,
  form: { above, at, typed },
}: MakeProps & { form: Pick<Form, 'above' | 'at' | 'typed'> }) {
  const { maxDays } = choice;
  const days = [...new Set([maxDays, ...[90, 30, 7].filter((one) => one < maxDays)])];
  const offered: readonly Scope[] = operator ? [...usualScopes, 'operate'] : usualScopes;
  return (
    <>
      {above && <Notice tone="bad">{above}</Notice>}
      <Field
        label="Name of the token"
        name="name"
        autoComplete="off"
        maxLength={80}
        required
        defaultValue={typed('name')}
        hint="What it is for: a build server, for example."
        problem={at('name')}
      />
      <ScopeChoice offered={offered} ticked={['publish']} none="Tick at least one." problem={at('scopes')} />
      <SpaceSelect spaces={choice.spaces} />
      <Select
        label="Ends"
        name="days"
        options={days.map((one) => [String(one), `in ${one} days`] as const)}
      />
    </>
  );
}

/** The fields to reduce a token's scopes, or to limit it to a space. */
export function NarrowTokenFields({
  token: { scopes, space },
  choice,
  form: { above, at },
}: {
  token: OwnToken;
  choice: TokenChoice;
  form: Pick<Form, 'above' | 'at'>;
}) {
  return (
    <>
      {above && <Notice tone="bad">{above}</Notice>}
      <ScopeChoice
        offered={scopes}
        ticked={scopes}
        none="To remove all scopes, revoke the token."
        problem={at('scopes')}
      />
      {space === null && <SpaceSelect spaces={choice.spaces} />}
    </>
  );
}

export function MakeTokenWithoutScript({ refused, ...make }: MakeProps & { refused: ShownForm | null }) {
  const form = useForm(['name', 'scopes'], sentByBrowser, refused);
  return (
    <AskingWithoutScript action="Make a token" isOpen={refused !== null}>
      <form className="stack" method="post" action="/settings/tokens" noValidate>
        <NewTokenFields {...make} form={form} />
        <div>
          <Button type="submit">Make the token</Button>
        </div>
      </form>
    </AskingWithoutScript>
  );
}

export function NarrowTokenWithoutScript({
  token,
  name,
  choice,
  page,
  refused,
}: {
  token: OwnToken;
  name: string;
  choice: TokenChoice;
  /** The cursor of the page that the token is on, which a refusal shows again; null for the first one. */
  page: string | null;
  refused: ShownForm | null;
}) {
  const form = useForm(['scopes'], sentByBrowser, refused);
  return (
    <AskingWithoutScript action="Narrow" isOpen={refused !== null}>
      <form
        className="stack"
        method="post"
        action={`/settings/tokens/narrow${page === null ? '' : `?tokens=${encodeURIComponent(page)}`}`}
      >
        <input type="hidden" name="id" value={token.id} />
        <NarrowTokenFields token={token} choice={choice} form={form} />
        <div>
          <Button type="submit" size="small">
            Narrow {name}
          </Button>
        </div>
      </form>
    </AskingWithoutScript>
  );
}
