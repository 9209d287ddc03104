// How long a payment may still be made. It counts from the service's clock, since the browser's may be wrong.

export class Countdown {
  private timer: ReturnType<typeof setInterval> | undefined;
  private endsAt = 0;

  constructor(private readonly show: (text: string) => void) {}

  // `now` is the service's time when it said so, and `expiresAt` its end of the payment.
  start(expiresAt: string, now: string): void {
    this.stop();
    this.endsAt = performance.now() + Date.parse(expiresAt) - Date.parse(now);
    this.tick();
    this.timer = setInterval(() => this.tick(), 1000);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    const seconds = Math.max(0, Math.round((this.endsAt - performance.now()) / 1000));
    const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'));
    const hours = Math.floor(seconds / 3600);
    this.show((hours ? [hours, ...parts] : parts).join(':'));
  }
}
