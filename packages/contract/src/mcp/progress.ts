/** Clients give up a call that they hear nothing of, many after a minute. */
const usualBeatMs = 2_000;

/** A call of a tool, as the protocol's library describes it to a handler. */
export interface RunningCall {
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
  notify(notification: {
    method: 'notifications/progress';
    params: { progressToken: string | number; progress: number; message?: string };
  }): Promise<void>;
}

/**
 * Runs `work`, and tells the client every few seconds that it goes on, if the client asked for that by a token
 * ("Progress" in the Model Context Protocol). The numbers only count the notifications, because nobody knows how
 * long a check takes.
 * @param work gets a function that tells at once what is being done; later notifications repeat it
 */
export async function withProgress<T>(
  call: RunningCall,
  work: (say: (message: string) => void) => Promise<T>,
  beatMs = usualBeatMs,
): Promise<T> {
  const progressToken = call._meta?.progressToken;
  if (progressToken === undefined) return work(() => {});
  let progress = 0;
  let message: string | undefined;
  const tell = () => {
    progress++;
    const params = { progressToken, progress, ...(message !== undefined && { message }) };
    // A client that has left needs no progress; its call ends by itself.
    call.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  const beat = setInterval(tell, beatMs);
  const say = (text: string) => {
    message = text;
    tell();
    beat.refresh();
  };
  try {
    return await work(say);
  } finally {
    clearInterval(beat);
  }
}
