import { boardsTool } from './boards.ts';
import { docsTool } from './docs.ts';
import { moderateTool } from './moderate.ts';
import { publishTool } from './publish.ts';
import { spacesTool } from './spaces.ts';
import type { Tool } from './tool.ts';
import { rollbackTool, statusTool, versionsTool } from './versions.ts';

/**
 * Every tool, in the order in which clients list them. They are few, because an agent reads all of them each
 * time.
 */
export const tools: readonly Tool[] = [
  publishTool,
  statusTool,
  versionsTool,
  rollbackTool,
  spacesTool,
  boardsTool,
  moderateTool,
  docsTool,
];

const guideWith = (aboutTokens: string) =>
  `Publishes and hosts web games and other web apps. publish takes a whole folder and answers the address of its page with findings; fix what they name and publish again. ${aboutTokens} Every answer says in \`next\` what to do now. docs tells how a page uses players, scores and saves.`;

/** The `instructions` that a client gives its agent about this server. */
export const toolsGuide = guideWith('No token is needed to publish a page for a week.');
/** The same of a service on which nobody publishes without an account. */
export const toolsGuideForAccounts = guideWith('Publishing needs a token of an account.');
