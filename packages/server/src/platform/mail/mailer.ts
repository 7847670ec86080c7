import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { madeOnce } from '../made-once.ts';

/** One message of plain text. `to` is a single address without a name. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Sending {
  /** When the message was written, in epoch milliseconds. It may have waited since then. */
  readonly writtenAt: number;
  /** Disconnects from the mail server. */
  readonly signal: AbortSignal;
}

export interface Mailer {
  /**
   * Resolves once the message is handed over.
   * @throws what the mail server said
   */
  send(mail: Mail, sending: Sending): Promise<void>;
}

export interface MailerSettings {
  /** smtp:// or smtps:// address; null writes messages to `folder`. */
  readonly smtpUrl: string | null;
  readonly from: string;
  /** Where answers go; null if that is `from`. */
  readonly replyTo: string | null;
  readonly folder: string;
}

const smtpTimeoutMs = 20_000;
/** RFC 3834: without it, programs answer that somebody is on holiday. */
const written = { 'Auto-Submitted': 'auto-generated' } as const;

export function openMailer(settings: MailerSettings, log: Logger): Mailer {
  return settings.smtpUrl === null ? openFolder(settings, log) : openSmtp(settings.smtpUrl, settings);
}

function openSmtp(url: string, { from, replyTo }: MailerSettings): Mailer {
  const connecting = madeOnce(() => transportTo(url, smtpTimeoutMs));
  return {
    async send(mail, { signal }) {
      const transport = await connecting();
      await transport.sendMail({
        from,
        ...(replyTo !== null && { replyTo }),
        ...mail,
        headers: written,
        signal,
      });
    },
  };
}

/** nodemailer is imported at the first message: most processes never send one. */
async function transportTo(url: string, timeoutMs: number) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // Messages are text that we wrote. Nothing in them may make nodemailer read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

const greetingTimeoutMs = 5_000;

/**
 * Connects and signs in to a mail server, and disconnects.
 * @throws the server's error, or an error if it does not answer
 */
export async function greetMailServer(url: string): Promise<void> {
  const transport = await transportTo(url, greetingTimeoutMs);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/**
 * Without a mail server, each message is written to a file that only our own user can read: links in it sign
 * people in. The log has the name of the file, and nothing of its content. The files are listed in the order in which
 * the messages were written: several are handed over at the same time.
 */
function openFolder({ from, replyTo, folder }: MailerSettings, log: Logger): Mailer {
  return {
    async send(mail, { writtenAt }) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const at = new Date(writtenAt).toISOString();
      const file = join(folder, `${at.replaceAll(':', '-')}-${randomUUID()}.eml`);
      await writeFile(file, asMessage(mail, { from, replyTo }, new Date()), { mode: 0o600, flag: 'wx' });
      log.info({ subject: mail.subject, file }, 'mail written to a file: SMTP_URL is not set');
    },
  };
}

/**
 * Writes a message of RFC 5322 without an encoding, so that a person can read the file and copy its links.
 */
function asMessage(
  { to, subject, text }: Mail,
  { from, replyTo }: Pick<MailerSettings, 'from' | 'replyTo'>,
  now: Date,
): string {
  const headers = {
    From: from,
    ...(replyTo !== null && { 'Reply-To': replyTo }),
    To: to,
    Subject: subject,
    Date: now.toUTCString().replace('GMT', '+0000'),
    'Message-ID': `<${randomUUID()}@spaceport>`,
    ...written,
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': '8bit',
  };
  const lines = Object.entries(headers).map(
    ([name, value]) => `${name}: ${value.replaceAll(/[\r\n]/gu, ' ')}`,
  );
  return `${lines.join('\r\n')}\r\n\r\n${text.replaceAll(/\r?\n/gu, '\r\n')}\r\n`;
}
