import type { Rule } from '../rule.ts';
import { ruleFindings, shown } from './finding.ts';
import { eachFile } from './reading/each-file.ts';

/**
 * Shapes that only code of miners has: their hosts, script files, classes, pool protocol and compiled functions. Names
 * alone (a game about mining may be called "Deep Miner", loot may be "crypto loot") are not enough.
 */
const patterns = [
  /stratum[12]?\+(?:tcp|ssl|tls|udp|ws|wss):\/\//giu,
  /\bcoin-?hive(?:-proxy)?(?:\.min)?\.(?:com|js|org|net)\b|\bCoinHive\s*\.\s*(?:Anonymous|User|Token|Miner)|\bnew\s+CoinHive\b|\bauthedmine\.com\b|\bcnhv\.co\b/giu,
  /\bcrypto-?loot\.(?:com|pro|org)\b|\b(?:CryptoLoot|CRLT)\s*\.\s*(?:Anonymous|User)\b|\bcryptaloot\.pro\b/giu,
  /\bwebminepool\.(?:com|tk)\b|\bWMP\s*\.\s*Anonymous\b|\bjsecoin\.com\b|\bload\.jsecoin\b/giu,
  /\bminero\.cc\b|\bminero(?:-proxy)?\.(?:min\.)?js\b|\bMinero\s*\.\s*(?:Anonymous|User)\b/giu,
  /\bdeepMiner\s*\.\s*(?:Anonymous|User|CONFIG)\b|\/\/[\w.-]+(?::\d+)?\/(?:[\w-]+\/)*deepminer(?:\.min)?\.js\b/giu,
  /\bcoinimp\.com\b|\bClient\.Anonymous\('[0-9a-f]{64}'|\bmonerominer\.rocks\b|\bppoi\.org\b|\bwebmine\.(?:cz|pro)\b|\bminr\.pw\b|\bwebminer\.moe\b/giu,
  /\bcryptonight(?:[_-]?(?:hash|lite|heavy|wasm|asm|r|v\d|create|slow|light|turtle|worker|single|double|ctx|aes)[\w-]{0,40}|(?:\.min)?\.(?:js|wasm))\b|\bcn_slow_hash\b|\b_?hash_cn\b/giu,
  /\b(?:algo(?:rithm)?|variant|hashFunction)["']?\s*[:=]\s*["'](?:cryptonight|cn|randomx|rx)(?:[/_-]?[\w-]{0,20})?["']/giu,
];
const finding = ruleFindings('miners');

/** Code that mines currency on the machines of those who play. */
export const miners: Rule = {
  name: 'miners',
  check: (version) =>
    eachFile(version, {
      patterns,
      visit(file) {
        const [match] = patterns.flatMap((pattern) => file.matches(pattern));
        if (match === undefined) return [];
        return [
          finding(
            'refuse',
            file.path,
            `It holds code of a currency miner ("${shown(match)}").`,
            'Take the miner out: the script, the call that starts it, and the address of its pool.',
          ),
        ];
      },
    }),
};
