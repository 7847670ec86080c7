import { parentPort } from 'node:worker_threads';
import { PageTooComplex } from './facts.ts';
import type { FactsAnswer, FactsQuestion } from './facts-reader.ts';
import { pageFacts, scriptFacts, xmlFacts } from './page-facts.ts';
import { decoded } from './page-text.ts';

/** The thread that parses untrusted files. A file that is slow, endless or huge harms only this thread. */
parentPort?.on('message', (question: FactsQuestion) => parentPort?.postMessage(answer(question)));

function answer({ servedAs, bytes }: FactsQuestion): FactsAnswer {
  try {
    const { text, encoding, isLegible } = decoded(bytes, servedAs);
    const facts =
      servedAs === 'html' ? pageFacts(text) : servedAs === 'xml' ? xmlFacts(text) : scriptFacts(text);
    return { facts: { ...facts, encoding, isLegible } };
  } catch (error) {
    if (error instanceof PageTooComplex || error instanceof RangeError) return { tooComplex: error.message };
    throw error;
  }
}
