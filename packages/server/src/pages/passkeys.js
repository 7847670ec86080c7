// Passkeys, at /sign-in and /settings. Their controls are in the page and hidden: a browser that can use passkeys, and
// runs this, shows them. The server's half is accounts/passkeys.routes.ts.
const api = '/api/auth/passkey';

const canUsePasskeys =
  'PublicKeyCredential' in window &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** What the service answers; throws its message where it refuses. */
async function call(path, body) {
  const answer = await fetch(`${api}/${path}`, {
    method: body ? 'POST' : 'GET',
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  });
  const parsed = await answer.json().catch(() => null);
  if (!answer.ok) throw new Error(parsed?.message ?? 'The service did not answer. Try again shortly.');
  return parsed;
}

async function addPasskey(name) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(await call('generate-register-options'));
  const made = await navigator.credentials.create({ publicKey });
  await call('verify-registration', { response: made.toJSON(), ...(name ? { name } : {}) });
}

async function signIn() {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    await call('generate-authenticate-options'),
  );
  const used = await navigator.credentials.get({ publicKey });
  await call('verify-authentication', { response: used.toJSON() });
}

/** Browsers say little of why, and in words of their own. */
function explain(error) {
  if (error.name === 'NotAllowedError') return 'No passkey was used.';
  if (error.name === 'InvalidStateError') return 'This device has a passkey for your account already.';
  return error.message;
}

/** Runs `work` when the form is sent: its button rests meanwhile, and what goes wrong is said in it. */
function onSubmit(form, work) {
  const button = form.querySelector('button');
  const problem = form.querySelector('[role=alert]');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    problem.textContent = '';
    try {
      await work(new FormData(form));
    } catch (error) {
      problem.textContent = explain(error);
    }
    button.disabled = false;
  });
  form.hidden = false;
}

const adding = document.getElementById('passkey-add');
const signingIn = document.getElementById('passkey-sign-in');
if (canUsePasskeys && adding) {
  onSubmit(adding, async (fields) => {
    await addPasskey(String(fields.get('passkey_name') ?? '').trim());
    location.assign('/settings?done=passkey');
  });
}
if (canUsePasskeys && signingIn) {
  onSubmit(signingIn, async (fields) => {
    await signIn();
    location.assign(String(fields.get('next')));
  });
}
