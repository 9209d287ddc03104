// One call to the service, and what can come of it. Not for: when to call again (checkout.ts).
import type { CheckoutState } from './state.js';

// state: the service's word. refused: it understood and said no, a repeat is of no use. none: no answer that means
// anything; what was asked for may or may not have happened.
export type Answer = { kind: 'state'; state: CheckoutState } | { kind: 'refused'; status: number } | { kind: 'none' };

export async function call(url: string, body: object | null, timeoutMs: number, stop: AbortSignal): Promise<Answer> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), timeoutMs);
  const stopped = () => abort.abort();
  stop.addEventListener('abort', stopped);
  try {
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      // A blob without a type: no header that would make the browser ask another origin for leave first.
      body: body ? new Blob([JSON.stringify(body)]) : null,
      signal: abort.signal,
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      // The press counts even if the buyer leaves the page at once.
      keepalive: body !== null,
    });
    if (response.status === 200) return { kind: 'state', state: (await response.json()) as CheckoutState };
    const isFinal = response.status >= 400 && response.status < 500 && response.status !== 408 && response.status !== 429;
    return isFinal ? { kind: 'refused', status: response.status } : { kind: 'none' };
  } catch {
    return { kind: 'none' };
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', stopped);
  }
}

// 1 s, 2 s, 4 s … 30 s, each up to a quarter shorter, so that pages that lost the same server do not come back as one.
export function pauseMs(failures: number): number {
  return Math.min(30_000, 1000 * 2 ** (failures - 1)) * (1 - Math.random() / 4);
}

// Ends early when the signal says so.
export function sleep(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      stop.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    stop.addEventListener('abort', done);
    if (stop.aborted) done();
  });
}
