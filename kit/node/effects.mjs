// Receives payonce's effects in a Node back end: checks who sent one, and does it once. No dependencies.
//
//   const effect = readEffect({ secrets, headers: request.headers, body: rawBody });
//   await once(client, effect, () => client.query('UPDATE orders SET shipped = true WHERE id = $1', [effect.data.order_id]));
//
// Answer 2xx after that; anything else makes payonce send it again.
import { createHmac, timingSafeEqual } from 'node:crypto';

// Older or younger than this by its own time stamp is refused: somebody may have kept a copy.
const toleranceMs = 5 * 60 * 1000;

export class ForgedEffect extends Error {}

function signatureFits(signed, secret, given) {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(signed).digest();
  // During a rotation there are several, one for each secret.
  return given.split(' ').some((one) => {
    const bytes = Buffer.from(one.replace(/^v1,/, ''), 'base64');
    return one.startsWith('v1,') && bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
}

// `body` is the raw text as it came, before any JSON parser. Throws ForgedEffect; answer 401 then.
export function readEffect({ secrets, headers, body, nowMs = Date.now() }) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signature = headers['webhook-signature'];
  if (!id || !timestamp || !signature) throw new ForgedEffect('a webhook header is missing');
  if (!(Math.abs(nowMs - Number(timestamp) * 1000) <= toleranceMs)) throw new ForgedEffect('the time stamp is too old');
  const signed = `${id}.${timestamp}.${body}`;
  if (!secrets.some((secret) => signatureFits(signed, secret, signature)))
    throw new ForgedEffect('the signature does not fit');
  return { id, ...JSON.parse(body) };
}

// Runs `work` unless this effect was done before, in one transaction with the row that says so. `client` is one
// connection of `pg` (the table is in kit/README.md). Answers whether it was done now.
export async function once(client, effect, work) {
  await client.query('BEGIN');
  try {
    const { rowCount } = await client.query(
      'INSERT INTO payonce_effects (id, effect, order_id) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING',
      [effect.id, effect.data.effect, effect.data.order_id],
    );
    // A copy that came at the same moment waits in the INSERT until the first is committed or rolled back.
    if (rowCount === 1) await work();
    await client.query('COMMIT');
    return rowCount === 1;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
