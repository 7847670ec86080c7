// Preloaded into a command: makes its pipes look like a terminal, wherever the tests run.
for (const stream of [process.stdin, process.stdout, process.stderr])
  Object.defineProperty(stream, 'isTTY', { value: true });
