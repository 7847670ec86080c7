import type { Finding } from '@spaceport/contract/versions';
import type { RenderedDocument } from '../../platform/browser/visit.ts';
import { ruleFindings, shown } from '../rules/finding.ts';
import { readable } from '../rules/reading/facts.ts';

const finding = ruleFindings('brand-sign-in');

/** Accounts that are worth stealing, by the names that their sign-in pages show. */
const brand =
  '(?:google|gmail|microsoft|outlook|office ?365|apple(?: id)?|icloud|facebook|instagram|whatsapp|twitter|tiktok|snapchat|discord|steam|epic games|roblox|minecraft|playstation|xbox|nintendo|battle\\.net|riot games|amazon|netflix|paypal|github|linkedin|yahoo|dropbox|metamask|coinbase|binance)';
const asks = new RegExp(
  `\\b(?:sign|log) ?in (?:to|with|using) (?:your )?${brand}\\b|\\b(?:your )?${brand} (?:account |e-?mail )?password\\b|\\b(?:enter|confirm|verify) your ${brand}\\b|\\b${brand} (?:sign|log)[ -]?in\\b`,
  'iu',
);
/** A field for a password, a code or a card, inside a form or not. */
const secretField =
  /<(?:input|textarea)\b[^>]*\b(?:type="password"|autocomplete="[^"]*(?:current-password|one-time-code|cc-[a-z]+)[^"]*")/iu;
const tags = /<[^>]*>/gu;
const spoken = /\b(?:placeholder|aria-label|alt|title|value)="([^"]*)"/giu;

/**
 * Finds pages that draw the sign-in of a service that players know, with a field for its password. A game
 * does not need one: real sign-ins happen on the service's own site.
 */
export function brandSignIns(documents: readonly RenderedDocument[], path: string): Finding[] {
  for (const { html } of documents) {
    if (!secretField.test(html)) continue;
    const attributes = [...html.matchAll(spoken)].map(([, text]) => text ?? '');
    const asked = asks.exec(readable([html.replaceAll(tags, ' '), ...attributes].join(' ')))?.[0];
    if (asked === undefined) continue;
    return [
      finding(
        'refuse',
        path,
        `Opened in a browser, it asks for the password of another service ("${shown(asked)}").`,
        'Remove the form: nothing published here may ask for the password of another service.',
      ),
    ];
  }
  return [];
}
