import { type Command, readCommand, usage } from './command-line.ts';
import { tellFailure } from './commands/failures.ts';

// This must come before anything uses the thread pool. Its threads mostly wait for the disk, and writes that
// wait together are flushed together.
process.env.UV_THREADPOOL_SIZE ??= '16';

// Modules of a command are loaded when it runs: a start loads no admin code, and admin loads no browser.
async function run(command: Command): Promise<void> {
  switch (command.name) {
    case 'help':
      console.log(usage);
      return;
    case 'config':
      return (await import('./commands/print-config.ts')).printConfig(command.format, process.env);
    case 'migrate':
      return (await import('./commands/migrate-database.ts')).migrateDatabase(process.env);
    case 'admin':
      return (await import('./commands/admin.ts')).admin(command.arguments, process.env);
    case 'start':
      return (await import('./commands/serve.ts')).serve(command.role, process.env);
  }
}

async function main(): Promise<void> {
  try {
    await run(readCommand(process.argv.slice(2)));
  } catch (error) {
    tellFailure(error, process.env);
    process.exitCode = 1;
  }
}

void main();
