// The claim token is in the fragment of the address. It is kept over a sign-in in this tab, and goes nowhere else.
const field = document.querySelector('input[name="token"]');
const key = 'spaceport-claim';
const fromAddress = decodeURIComponent(location.hash.slice(1));
if (fromAddress.startsWith('sp_claim_')) {
  sessionStorage.setItem(key, fromAddress);
  history.replaceState(null, '', location.pathname + location.search);
}
const kept = sessionStorage.getItem(key);
if (field && kept && !field.value) field.value = kept;
