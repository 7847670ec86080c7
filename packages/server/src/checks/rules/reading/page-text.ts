export const maxTextBytes = 8 * 1024 * 1024;
/** What a single-file game embeds, and what somebody pads with: no rule reads either. */
const longRun = /([A-Za-z0-9+/=]{64})[A-Za-z0-9+/=]{448,}|(\s)\s{511,}/gu;

/** Gathers a page or script, at most 8 MiB of it; beyond, embedded data (base64) is left out. */
export class PageText {
  /** True where not all of it could be kept. */
  cut = false;
  private readonly pieces: Buffer[] = [];
  private length = 0;
  private squeezing = false;

  take(bytes: Buffer): void {
    if (this.cut) return;
    this.keep(this.squeezing ? squeeze(bytes) : Buffer.from(bytes));
    if (this.length <= maxTextBytes) return;
    if (!this.squeezing) {
      this.squeezing = true;
      const all = squeeze(Buffer.concat(this.pieces));
      this.pieces.length = 0;
      this.length = 0;
      this.keep(all);
    }
    this.cut = this.length > maxTextBytes;
  }

  /** As a browser decodes it: UTF-8, or UTF-16 by its byte order mark. */
  text(): string {
    const bytes = Buffer.concat(this.pieces).subarray(0, maxTextBytes);
    const mark = bytes.toString('latin1', 0, 2);
    const encoding = mark === '\xff\xfe' ? 'utf-16le' : mark === '\xfe\xff' ? 'utf-16be' : 'utf-8';
    return new TextDecoder(encoding).decode(bytes);
  }

  private keep(bytes: Buffer): void {
    this.pieces.push(bytes);
    this.length += bytes.length;
  }
}

/** Only ASCII is taken out, so that UTF-8 stays whole. */
function squeeze(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(longRun, '$1$2'), 'latin1');
}
