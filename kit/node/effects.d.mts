export interface Effect {
  id: string;
  type: 'payment.succeeded' | 'refund.succeeded' | 'refund.failed';
  timestamp: string;
  data: {
    effect: string;
    order_id: string;
    payment_id: string;
    amount: number;
    currency: string;
    provider: string;
    refund_id?: string;
    reason?: string;
    surplus?: boolean;
  };
}

export declare class ForgedEffect extends Error {}

export declare function readEffect(options: {
  secrets: string[];
  headers: Record<string, string | string[] | undefined>;
  body: string;
  nowMs?: number;
}): Effect;

export declare function once(
  client: { query(sql: string, values?: unknown[]): Promise<{ rowCount: number | null }> },
  effect: Effect,
  work: () => Promise<unknown>,
): Promise<boolean>;
