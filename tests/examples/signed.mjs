// Effects as payonce signs them, and as it would not.
import { createHmac } from 'node:crypto';
import { effectSecret as secret } from '../browser/servers.mjs';

export { secret };
const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
export const now = () => Math.floor(Date.now() / 1000);

export function signed(id, body, { seconds = now(), by = key } = {}) {
  const signature = createHmac('sha256', by).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
}
