// The two calls that a shop makes to be paid. All that it has to keep is its own order number.

export class Payonce {
  constructor(url, key) {
    this.url = url;
    this.headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  }

  async call(method, path, body) {
    const response = await fetch(this.url + path, { method, headers: this.headers, body: body && JSON.stringify(body) });
    const answer = await response.json();
    if (!response.ok) throw new Error(`payonce says ${answer.code}: ${answer.detail}`);
    return answer;
  }

  // May be repeated as often as one likes.
  registerOrder(id, amount, currency) {
    return this.call('PUT', `/v1/orders/${encodeURIComponent(id)}`, { amount, currency });
  }

  // For the element on a page of the shop; a hosted page gets a return_url, to lead back.
  async checkoutUrl(id) {
    const path = `/v1/orders/${encodeURIComponent(id)}/checkout-tokens`;
    return (await this.call('POST', path, {})).url;
  }

  order(id) {
    return this.call('GET', `/v1/orders/${encodeURIComponent(id)}`);
  }

  // Everything that happened to one order, oldest first.
  async timeline(id) {
    const found = [];
    for (let after = '0', more = true; more; ) {
      const { events, next } = await this.call('GET', `/v1/events?after=${after}`);
      found.push(...events.filter((event) => event.order_id === id));
      more = events.length > 0;
      after = next;
    }
    return found;
  }
}
