import { optional, sender, smtpUrl } from './config-parsers.ts';
import { setting } from './setting.ts';

/** The settings of the mail that the service sends. */
export const mailSettings = {
  SMTP_URL: setting(
    optional(smtpUrl),
    '',
    'smtp:// or smtps:// address that mail is sent through; empty writes mail to DATA_DIR/mail and the log.',
    { secret: true },
  ),
  MAIL_FROM: setting(sender, 'Spaceport <spaceport@localhost>', 'Sender of mail.'),
} as const;
