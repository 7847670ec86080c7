// Loaded into a command before it starts: its pipes look like a terminal to it, wherever the tests run.
for (const stream of [process.stdin, process.stdout, process.stderr])
  Object.defineProperty(stream, 'isTTY', { value: true });
