import type { Rule } from '../rule.ts';
import { ruleFindings, shown } from './finding.ts';
import { eachFile } from './reading/each-file.ts';
import type { ControlFacts } from './reading/facts.ts';

const count = '(?:1[258]|2[14]|twelve|fifteen|eighteen|twenty[ -]?(?:one|four))';
/** Phrases that mean a wallet in any context. */
const walletPhrase = new RegExp(
  `\\b(?:(?:secret )?recovery phrase|wallet (?:seed|phrase|recovery)|mnemonic (?:phrase|words|seed)|seed (?:phrase )?words|bip-?39|${count}[ -]words? (?:secret |recovery |seed |mnemonic |backup )*(?:phrase|seed|mnemonic|key)|(?:phrase|seed|mnemonic)\\b.{0,30}\\b${count}[ -]words?)\\b`,
  'iu',
);
const seedPhrase = /\b(?:seed|secret|backup|pass) ?phrase\b/iu;
/** Terms of games and programming too: they count only in a text about wallets. */
const keyWords = new RegExp(`\\b(?:private key|secret key|mnemonic|keystore|${count}[ -]words)\\b`, 'iu');
/** A word of every phrase above. Most controls contain none, so the rest is skipped for them. */
const anyOfThem = /phrase|mnemonic|words?\b|seed|bip-?39|key/iu;
const walletTalk =
  /\b(?:wallets?|metamask|trezor|ledger (?:live|nano|wallet)|trust ?wallet|phantom|coinbase|binance|exodus|crypto(?:currency|currencies)?|bitcoin|ethereum|solana|blockchain|web3|airdrop|dapps?|nfts?|defi|btc|eth)\b/iu;
/** "World seed phrase": the seed that a game world is generated from. */
const generation =
  /\b(?:world|map|level|dungeon|terrain|maze|galaxy|planet|random|generat\w*|procedural)\b/iu;
const asking =
  /\b(?:enter|type|paste|input|import|provide|confirm|verify|validate|restore|recover|submit|fill in|write down|insert|connect|unlock)\b[^.!?]{0,120}$/iu;
/** Text within this many characters before a control is its label. */
const labelDistance = 60;

const finding = ruleFindings('seed-phrase-form');

/**
 * Finds pages and scripts that ask for the words or keys of a wallet. No game needs them, and people who type
 * them lose everything. A phrase counts only where it is asked for: as the label or placeholder of a control,
 * or in a sentence beside a control that asks. Stories may mention seeds and keys.
 */
export const seedPhraseForm: Rule = {
  name: 'seed-phrase-form',
  check: (version) =>
    eachFile(version, {
      async visit(file) {
        const facts = await file.facts();
        if (!facts) return [];
        const isAboutWallets = walletTalk.test(facts.text);
        const asked = facts.controls.map((control) => askedPhrase(control, isAboutWallets));
        const sure = asked.find((one) => one?.sure);
        if (sure) {
          return [
            finding(
              'refuse',
              file.path,
              `It asks for the secret of a wallet ("${shown(sure.phrase)}").`,
              'Remove the field: nothing published here may ask for seed phrases, recovery phrases or private keys.',
            ),
          ];
        }
        const unsure = asked.find((one) => one !== null);
        if (!unsure) return [];
        return [
          finding(
            'warn',
            file.path,
            `A field reads like a request for the secret of a wallet ("${shown(unsure.phrase)}").`,
            'Call it something else, such as "world seed" or "password", so that players are not alarmed.',
          ),
        ];
      },
    }),
};

interface AskedPhrase {
  readonly phrase: string;
  readonly sure: boolean;
}

function askedPhrase({ own, before, after }: ControlFacts, isAboutWallets: boolean): AskedPhrase | null {
  const near = `${before} ${own} ${after}`;
  if (!anyOfThem.test(near)) return null;
  const walletNear = isAboutWallets || walletTalk.test(near);
  const phraseIn = (text: string): AskedPhrase | null => {
    const strong = walletPhrase.exec(text)?.[0];
    if (strong) return { phrase: strong, sure: true };
    const seed = seedPhrase.exec(text)?.[0];
    if (seed && /^seed/iu.test(seed)) return { phrase: seed, sure: walletNear || !generation.test(near) };
    const other = seed ?? keyWords.exec(text)?.[0];
    return other ? { phrase: other, sure: walletNear } : null;
  };
  const label = phraseIn(own) ?? phraseIn(labelIn(before));
  if (label?.sure) return label;
  return sentenceThatAsks(`${before} ${after}`, phraseIn) ?? label;
}

/** Returns the end of the text before a control, without the sentences before it. */
function labelIn(before: string): string {
  return (before.split(/[.!?]\s/u).at(-1) ?? '').slice(-labelDistance);
}

function sentenceThatAsks(text: string, phraseIn: (text: string) => AskedPhrase | null): AskedPhrase | null {
  for (const sentence of text.split(/(?<=[.!?])\s/u)) {
    const found = phraseIn(sentence);
    if (found && asking.test(sentence.slice(0, sentence.indexOf(found.phrase)))) return found;
  }
  return null;
}
