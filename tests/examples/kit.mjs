// The receiver kit for Node: what it refuses, and what it does in one transaction.
import { ForgedEffect, once, readEffect } from '../../kit/node/effects.mjs';
import { equal, holds, test } from '../browser/check.mjs';
import { now, secret, signed } from './signed.mjs';

test('the kit for Node refuses what payonce did not sign', () => {
  const body = '{"type":"payment.succeeded","data":{"effect":"ship","order_id":"A1"}}';
  const read = (headers, text = body) => readEffect({ secrets: ['whsec_b3RoZXI=', secret], headers, body: text });
  equal(read(signed('pay_1.ship', body)).data.order_id, 'A1', 'genuine');
  const rotated = signed('pay_1.ship', body);
  rotated['webhook-signature'] = `v1,AAAA ${rotated['webhook-signature']}`;
  equal(read(rotated).id, 'pay_1.ship', 'one of two signatures fits');
  for (const [what, attempt] of Object.entries({
    forged: () => read(signed('pay_1.ship', body, { by: 'x' })),
    changed: () => read(signed('pay_1.ship', body), body.replace('A1', 'A2')),
    'of another id': () => read({ ...signed('pay_1.ship', body), 'webhook-id': 'pay_2.ship' }),
    old: () => read(signed('pay_1.ship', body, { seconds: now() - 301 })),
    'of tomorrow': () => read(signed('pay_1.ship', body, { seconds: now() + 301 })),
    bare: () => read({}),
  })) {
    let refused = false;
    try {
      attempt();
    } catch (error) {
      refused = error instanceof ForgedEffect;
    }
    holds(refused, `${what} is refused`);
  }
});

test('the kit for Node does the work in the transaction of the row, or not at all', async () => {
  const log = [];
  let rows = 1;
  const client = { query: async (sql) => (log.push(sql.split(' ')[0]), { rowCount: sql.startsWith('INSERT') ? rows : null }) };
  const effect = { id: 'pay_1.ship', data: { effect: 'ship', order_id: 'A1' } };
  equal(await once(client, effect, async () => log.push('work')), true, 'the first time');
  rows = 0;
  equal(await once(client, effect, async () => log.push('work')), false, 'the second time');
  rows = 1;
  const broken = once(client, effect, async () => { throw new Error('disk'); });
  equal(await broken.catch(({ message }) => message), 'disk', 'a failure of the work');
  equal(log, ['BEGIN', 'INSERT', 'work', 'COMMIT', 'BEGIN', 'INSERT', 'COMMIT', 'BEGIN', 'INSERT', 'ROLLBACK'], 'in order');
});
