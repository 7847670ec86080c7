import { contact, linkList, optional } from './config-parsers.ts';
import { setting } from './setting.ts';

/** The settings of what the service says about those who run it. */
export const contactSettings = {
  CONTACT: setting(
    optional(contact),
    '',
    'How people reach you: an e-mail address, or the address of a page. It is at the foot of every page, in mails about what operators did, and where an account is banned.',
  ),
  FOOTER_LINKS: setting(
    linkList,
    '',
    'Pages of yours that the foot of every page links, such as terms or privacy, as `Terms=https://…,Privacy=https://…`.',
  ),
} as const;
