import { printable, readConfig, settingsAsMarkdown } from '../config.ts';

export function printConfig(format: 'print' | 'markdown', environment: NodeJS.ProcessEnv): void {
  if (format === 'markdown') console.log(settingsAsMarkdown());
  else console.log(JSON.stringify(printable(readConfig(environment)), null, 2));
}
