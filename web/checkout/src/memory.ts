// What tabs of one browser know in common: the last press, who is sending it, and that something is new. All of it only
// saves time and words; that an order is charged once does not rest on any of it. Storage may be missing or cleared.

// The buyer pressed Pay on this offer.
export interface Press {
  offer: string;
  method: string;
  at: number;
}

// A press is carried out for so long and then forgotten: nobody who opens a laptop in the evening expects to pay by what
// was pressed in the morning.
const pressLifeMs = 120_000;

export class Memory {
  private readonly name: string;
  private readonly channel: BroadcastChannel | undefined;

  constructor(url: string, onNews: () => void) {
    this.name = 'payonce:' + url;
    if (typeof BroadcastChannel === 'undefined') return;
    this.channel = new BroadcastChannel(this.name);
    this.channel.onmessage = onNews;
  }

  press(): Press | null {
    try {
      const press = JSON.parse(localStorage.getItem(this.name) ?? 'null') as Press | null;
      return press && isFresh(press) ? press : null;
    } catch {
      return null;
    }
  }

  keep(press: Press): void {
    try {
      localStorage.setItem(this.name, JSON.stringify(press));
    } catch {
      // A browser that forgets is safe as well: the offer is the same after a reload.
    }
  }

  // Unless there is a newer one by now.
  forget(press: Press): void {
    try {
      if (this.press()?.offer === press.offer) localStorage.removeItem(this.name);
    } catch {
      // See keep().
    }
    this.tell();
  }

  tell(): void {
    this.channel?.postMessage('news');
  }

  // One tab at a time; the lock of a tab that crashed is free.
  async alone(work: () => Promise<void>): Promise<void> {
    if (!navigator.locks) return work();
    await navigator.locks.request(this.name, work);
  }

  close(): void {
    this.channel?.close();
  }
}

export function isFresh(press: Press): boolean {
  return Math.abs(Date.now() - press.at) < pressLifeMs;
}
