// What the service says about an order: the answer of GET {url}/state, as openapi.json describes it (CheckoutState).

export interface Text {
  en: string;
  zh: string;
}

export interface Method {
  id: string;
  name: Text;
}

export interface Payment {
  id: string;
  state: string;
  method: Text;
  action?: 'redirect' | 'qr';
  action_url?: string;
  expires_at?: string;
}

export interface CheckoutState {
  version: string;
  order_id: string;
  situation: 'ready' | 'confirming' | 'action' | 'closing' | 'paid' | 'refunded' | 'disputed' | 'reversed' | 'closed' | 'expired';
  message: Text;
  amount: number;
  currency: string;
  amount_text: string;
  refunded_text?: string;
  offer?: string;
  methods: Method[];
  payment?: Payment;
  may_cancel: boolean;
  return_url?: string;
  now: string;
}

// Nothing happens by itself any more.
export function hasEnded(state: CheckoutState): boolean {
  return !['ready', 'confirming', 'action', 'closing'].includes(state.situation);
}
