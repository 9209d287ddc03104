// @payonce/checkout: for pages that draw everything themselves. The custom element is @payonce/checkout/element.
export { openCheckout, type Checkout, type Snapshot } from './checkout.js';
export type { CheckoutState, Method, Payment, Text } from './state.js';
