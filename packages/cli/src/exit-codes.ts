/** The exit codes of `spaceport`. They are part of its interface, so that scripts can tell cases apart. */
export const exitCodes = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  notAllowed: 3,
  invalid: 4,
  refused: 5,
  undecided: 6,
  unavailable: 7,
  /** 128 + SIGINT, as shells count it. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodeHelp = `Exit codes:
  0    done
  1    something unexpected went wrong
  2    the command line is wrong
  3    not signed in, or not allowed
  4    the files, the fields or the version asked for are not valid
  5    the safety check refused the version
  6    the safety check came to no verdict (unjudged or stopped)
  7    the service cannot be reached, is busy, or limits the rate
  130  interrupted: running the same command again goes on where it was; or a question was answered with no`;
