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

/** The `instructions` that a client gives its agent about this server. */
export const toolsGuide =
  'Publishes and hosts web games and other web apps. publish takes a whole folder and answers the address of its page with findings; fix what they name and publish again. No token is needed to publish a page for a week. Every answer says in `next` what to do now. docs tells how a page uses players, scores and saves.';
