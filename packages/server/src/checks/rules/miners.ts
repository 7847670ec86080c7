import type { Rule } from '../rule.ts';
import { ruleFindings, shown } from './finding.ts';
import type { BytePattern } from './reading/byte-watch.ts';
import { eachFile } from './reading/each-file.ts';

/**
 * Patterns that match only code of miners: their hosts, script files, classes, pool protocol and
 * compiled functions. Names alone are not enough: a game about mining may be called "Deep
 * Miner", loot may be "crypto loot".
 */
const patterns: readonly BytePattern[] = [
  { words: ['stratum'], pattern: /stratum[12]?\+(?:tcp|ssl|tls|udp|ws|wss):\/\//giu },
  {
    words: ['coinhive', 'coin-hive', 'authedmine', 'cnhv.co'],
    pattern:
      /\bcoin-?hive(?:-proxy)?(?:\.min)?\.(?:com|js|org|net)\b|\bCoinHive\s*\.\s*(?:Anonymous|User|Token|Miner)|\bnew\s+CoinHive\b|\bauthedmine\.com\b|\bcnhv\.co\b/giu,
  },
  {
    words: ['crypto-loot', 'cryptoloot', 'cryptaloot', 'crlt.anonymous', 'crlt.user'],
    pattern:
      /\bcrypto-?loot\.(?:com|pro|org)\b|\bCryptoLoot\s*\.\s*(?:Anonymous|User)\b|\bCRLT\.(?:Anonymous|User)\b|\bcryptaloot\.pro\b/giu,
  },
  {
    words: ['webminepool', 'wmp.anonymous', 'jsecoin'],
    pattern: /\bwebminepool\.(?:com|tk)\b|\bWMP\.Anonymous\b|\bjsecoin\.com\b/giu,
  },
  {
    words: ['minero.', 'minero-', 'deepminer'],
    pattern:
      /\bminero\.cc\b|\bminero(?:-proxy)?\.(?:min\.)?js\b|\bMinero\.(?:Anonymous|User)\b|\bdeepMiner\s*\.\s*(?:Anonymous|User|CONFIG)\b|\/\/[\w.-]+(?::\d+)?\/(?:[\w-]+\/)*deepminer(?:\.min)?\.js\b/giu,
  },
  {
    words: ['coinimp.com', 'monerominer', 'ppoi.org', 'webmine.', 'webminer.moe', 'minr.pw'],
    pattern:
      /\bcoinimp\.com\b|\bmonerominer\.rocks\b|\bppoi\.org\b|\bwebmine\.(?:cz|pro)\b|\bminr\.pw\b|\bwebminer\.moe\b/giu,
  },
  {
    words: ['cryptonight', 'cn_slow_hash', 'hash_cn'],
    pattern:
      /(?<![A-Za-z])cryptonight(?:[_-]?(?:hash|lite|heavy|wasm|asm|r|v\d|create|slow|light|turtle|worker|single|double|ctx|aes)[\w-]{0,40}|(?:\.min)?\.(?:js|wasm))\b|(?<![A-Za-z])(?:cn_slow_hash|hash_cn)\b/giu,
  },
  {
    words: ['cryptonight', 'randomx'],
    pattern:
      /\b(?:algo(?:rithm)?|variant|hashFunction)["']?\s{0,9}[:=]\s{0,9}["'](?:cryptonight|randomx)(?:[/_-][\w-]{0,20})?["']/giu,
  },
];
const finding = ruleFindings('miners');

/** Finds code that mines currency on players' machines. */
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
            'Remove the miner: the script, the call that starts it, and the address of its pool.',
          ),
        ];
      },
    }),
};
