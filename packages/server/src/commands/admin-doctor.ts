import { examine } from '../doctor/examine.ts';
import type { Finding } from '../doctor/finding.ts';
import { openBrowsers } from '../open-platform.ts';
import { systemClock } from '../platform/clock/clock.ts';
import { createLog } from '../platform/log.ts';
import type { AdminCommand, Machine } from './admin-command.ts';
import { NotInstalled } from './installed.ts';

const words = { ok: 'ok', warning: 'warning', wrong: 'WRONG', not_looked_at: '–' } as const;

/** The command that examines an installation and its surroundings from this machine, also while it runs. */
export const doctorCommands: Record<string, AdminCommand> = {
  doctor: {
    summary:
      'Checks names, wildcard hosts, certificates, mail, browser, disk, clock, database, store, search index and backups, and says what to do. Exits with 1 if something is wrong.',
    usage: '',
    options: {},
    run: async (machine) => {
      const findings = await look(machine);
      if (findings.some(({ state }) => state === 'wrong')) process.exitCode = 1;
      return { findings };
    },
    // The findings are this command's own result.
    asText: ({ findings }) => (findings as readonly Finding[]).map(asText).join('\n'),
  },
};

async function look({ config, installed }: Machine): Promise<Finding[]> {
  const backing = await installed().catch((error: unknown) => {
    // Before the first start it stays empty, because a backup may be restored into it.
    if (error instanceof NotInstalled) return null;
    return error instanceof Error ? error : new Error(String(error));
  });
  const browsers = openBrowsers(config, createLog({ LOG_LEVEL: 'silent' }));
  try {
    const browser = async () => {
      // The reason of a failure is in its state.
      await browsers.isAvailable().catch(() => false);
      return browsers.state();
    };
    return await examine({ config, clock: systemClock, backing, browser });
  } finally {
    await browsers.close();
  }
}

function asText({ about, state, said, advice }: Finding): string {
  const line = `${words[state].padEnd(8)} ${about.replaceAll('_', ' ').padEnd(14)} ${said}`;
  return advice === null ? line : `${line}\n${' '.repeat(24)}→ ${advice}`;
}
