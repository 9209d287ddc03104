<?php
// A complete back end of a shop that is paid through payonce: orders, checkout, effects. PHP 8, PDO; any database.
//
//   PAYONCE_URL=http://127.0.0.1:8080 PAYONCE_KEY=pok_... EFFECT_SECRET=whsec_... DATABASE=sqlite:shop.sqlite \
//     PHP_CLI_SERVER_WORKERS=4 php -S 127.0.0.1:8092 shop.php
//
//   curl -X POST localhost:8092/orders -d '{"item":"tea"}'     the order's number and where its buyer pays
//   curl localhost:8092/orders/1                               whether it is shipped
//   POST /ship                                                 payonce delivers the effect "ship" here
declare(strict_types=1);

const PRICES = ['tea' => 12800, 'cup' => 6800];
// Older or younger than this by its own time stamp is refused: somebody may have kept a copy.
const TOLERANCE_S = 300;

function connect(): PDO
{
    $db = new PDO(getenv('DATABASE'), getenv('DATABASE_USER') ?: null, getenv('DATABASE_PASSWORD') ?: null,
        [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION, PDO::ATTR_TIMEOUT => 10]);
    $is_mysql = $db->getAttribute(PDO::ATTR_DRIVER_NAME) === 'mysql';
    $number = ['mysql' => 'BIGINT AUTO_INCREMENT', 'pgsql' => 'BIGSERIAL'][$db->getAttribute(PDO::ATTR_DRIVER_NAME)] ?? 'INTEGER';
    $db->exec("CREATE TABLE IF NOT EXISTS orders (id $number PRIMARY KEY, item VARCHAR(32) NOT NULL, shipped INT NOT NULL DEFAULT 0)");
    $exactly = $is_mysql ? 'CHARACTER SET ascii COLLATE ascii_bin' : '';
    $db->exec("CREATE TABLE IF NOT EXISTS payonce_effects
        (id VARCHAR(80) $exactly NOT NULL PRIMARY KEY, effect VARCHAR(32) NOT NULL, order_id VARCHAR(64) NOT NULL)");
    return $db;
}

function payonce(string $method, string $path, array $body): array
{
    $answer = file_get_contents(getenv('PAYONCE_URL') . $path, false, stream_context_create(['http' => [
        'method' => $method, 'timeout' => 30, 'ignore_errors' => true,
        'header' => ['Authorization: Bearer ' . getenv('PAYONCE_KEY'), 'Content-Type: application/json'],
        'content' => json_encode($body, JSON_FORCE_OBJECT),
    ]]));
    $status = (int) (explode(' ', $http_response_header[0] ?? '')[1] ?? 0);
    if ($answer === false || $status >= 300) throw new RuntimeException("payonce answered $status: $answer");
    return json_decode($answer, true);
}

function place_order(PDO $db, string $item): array
{
    $db->prepare('INSERT INTO orders (item) VALUES (?)')->execute([$item]);
    $number = $db->lastInsertId();
    // The shop's own number is the order's name; both calls may be repeated.
    $path = '/v1/orders/' . rawurlencode($number);
    payonce('PUT', $path, ['amount' => PRICES[$item], 'currency' => 'CNY']);
    return ['order' => (int) $number, 'checkout' => payonce('POST', "$path/checkout-tokens", [])['url']];
}

// Whether payonce has signed these bytes, lately.
function is_genuine(string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_S) return false;
    $key = base64_decode(substr(getenv('EFFECT_SECRET'), strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // During a rotation there are several, one for each secret.
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $one)
        if (hash_equals($expected, $one)) return true;
    return false;
}

// One transaction: the row that says it was done, and what is done. A copy that comes at the same moment waits for it.
function ship(PDO $db, string $id, array $data): void
{
    $db->beginTransaction();
    try {
        $row = $db->prepare('INSERT INTO payonce_effects (id, effect, order_id) VALUES (?, ?, ?)');
        $row->execute([$id, $data['effect'], $data['order_id']]);
        $db->prepare('UPDATE orders SET shipped = shipped + 1 WHERE id = ?')->execute([$data['order_id']]);
        $db->commit();
    } catch (PDOException $error) {
        $db->rollBack();
        // The row is there already (class 23, a constraint): done before, nothing to do.
        if (!str_starts_with((string) $error->getCode(), '23')) throw $error;
    }
}

function handle(string $method, string $path, string $body): array
{
    $db = connect();
    if ($method === 'POST' && $path === '/orders') {
        $item = json_decode($body, true)['item'] ?? '';
        return isset(PRICES[$item]) ? [201, place_order($db, $item)] : [400, []];
    }
    if ($method === 'GET' && preg_match('~^/orders/(\d+)$~', $path, $match)) {
        $row = $db->prepare('SELECT item, shipped FROM orders WHERE id = ?');
        $row->execute([$match[1]]);
        $order = $row->fetch(PDO::FETCH_ASSOC);
        return $order ? [200, $order] : [404, []];
    }
    if ($method !== 'POST' || $path !== '/ship') return [404, []];
    if (!is_genuine($body)) return [401, []];
    ship($db, $_SERVER['HTTP_WEBHOOK_ID'], json_decode($body, true)['data']);
    return [200, []];
}

try {
    [$status, $answer] = handle($_SERVER['REQUEST_METHOD'], $_SERVER['REQUEST_URI'], file_get_contents('php://input'));
} catch (Throwable $error) {
    // Anything but 2xx makes payonce send the effect again.
    error_log((string) $error);
    [$status, $answer] = [500, []];
}
http_response_code($status);
header('Content-Type: application/json');
echo json_encode((object) $answer);
