<?php
// A complete shop in PHP. It sells one thing. "Your shop" marks what a real one does differently.
declare(strict_types=1);

$setting = fn (string $name, string $default = ''): string => getenv($name) ?: $default;
define('TILLFRONT_URL', $setting('TILLFRONT_URL', 'http://localhost:3000'));
define('SHOP_URL', $setting('SHOP_URL', 'http://localhost:8080'));
define('LIVE', $setting('NODE_ENV') === 'production');
const PRODUCT = ['name' => 'A bag of coffee', 'amount' => '1500.00', 'currency' => 'NGN'];

// Your shop knows its customers. The payer is asked for whatever you leave out here.
const CUSTOMER = [
    'payer' => ['email' => 'ada@example.com', 'phone' => '+2348012345678', 'firstName' => 'Ada', 'lastName' => 'Obi'],
    'billing' => ['street' => '1 Marina', 'city' => 'Lagos', 'stateProvince' => 'Lagos', 'postCode' => '101001', 'country' => 'NGA'],
];

// Your shop keeps its orders in a database. This one has a file for each.
define('ORDERS', $setting('ORDERS_FOLDER', __DIR__ . '/orders'));

function order_of(string $reference): ?array
{
    $file = ORDERS . "/$reference.json";
    return preg_match('/^PHP-[0-9a-f]{16}$/', $reference) && is_file($file) ? json_decode(file_get_contents($file), true) : null;
}

function keep(array $order): void
{
    is_dir(ORDERS) || mkdir(ORDERS, 0700, true);
    file_put_contents(ORDERS . "/{$order['reference']}.json", json_encode($order), LOCK_EX);
}

/** Calls Tillfront with the merchant key, which no browser ever sees. */
function tillfront(string $path, array $headers = [], ?array $body = null): array
{
    $request = curl_init(TILLFRONT_URL . $path);
    curl_setopt_array($request, [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 20,
        CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('MERCHANT_API_KEY'), ...$headers],
    ] + ($body === null ? [] : [CURLOPT_POSTFIELDS => json_encode($body)]));
    $text = curl_exec($request);
    $answer = $text === false ? [] : json_decode($text, true);
    if (intdiv(curl_getinfo($request, CURLINFO_RESPONSE_CODE), 100) === 2) {
        return $answer;
    }
    $fields = array_map(fn ($fault) => "\n  {$fault['pointer']} {$fault['message']}", $answer['errors'] ?? []);
    throw new RuntimeException(($answer['code'] ?? 'no answer') . ': ' . ($answer['detail'] ?? curl_error($request)) . implode($fields));
}

/** The price is the order's, never the browser's. A key per session makes a repeat harmless: it gives the same session. */
function create_session(array $order): array
{
    $sessions = $order['sessions'] ?? 1;
    $headers = ['Content-Type: application/json', "Idempotency-Key: {$order['reference']}-$sessions"];
    $session = tillfront('/v1/checkout-sessions', $headers, [
        'reference' => $order['reference'],
        'amount' => $order['amount'],
        'currency' => $order['currency'],
        'returnUrl' => SHOP_URL . "/thanks?order={$order['reference']}",
    ] + CUSTOMER);
    if ($session['status'] !== 'expired' && $session['status'] !== 'closed') {
        return $session;
    }
    $order = ['sessions' => $sessions + 1] + $order; // It is over, and the order is not paid: a new session, with a new key.
    keep($order);
    return create_session($order);
}

/** Whether an order is `paid`, `returned`, `unpaid`, or still `confirming`, by what Tillfront says and not by what a browser says. */
function state_of(array $order): string
{
    $payments = tillfront("/v1/payments?reference={$order['reference']}")['data'];
    $due = ['status' => 'succeeded', 'amount' => $order['amount'], 'currency' => $order['currency'], 'livemode' => LIVE];
    // A payment that was given back, in part or in whole, or charged back is still `succeeded`.
    $wanted = $due + ['duplicateOf' => null, 'needsAttention' => false, 'amountRefunded' => null, 'disputed' => false];
    $over = ['requires_action', 'failed', 'canceled', 'expired', 'voided'];
    $confirming = $returned = false;
    foreach ($payments as $payment) {
        if (array_filter(array_keys($wanted), fn ($name) => $payment[$name] !== $wanted[$name]) === []) {
            return 'paid';
        }
        $confirming = $confirming || !in_array($payment['status'], $over, true);
        $returned = $returned || $payment['amountRefunded'] !== null || $payment['disputed'];
    }
    if ($returned) {
        return 'returned';
    }
    return $confirming ? 'confirming' : 'unpaid';
}

/** The event, if its signature is genuine and not older than five minutes (Standard Webhooks). */
function verified_event(string $body, array $headers): ?array
{
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return null;
    }
    $key = base64_decode(substr(getenv('MERCHANT_WEBHOOK_SECRET'), strlen('whsec_')), true);
    $signed = ($headers['webhook-id'] ?? '') . ".$timestamp.$body";
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $signature) {
        if (hash_equals($expected, $signature)) {
            return json_decode($body, true);
        }
    }
    return null;
}

/** An event says that something has changed. The shop asks what holds now, so repeated and late events do no harm. */
function take_event(array $event): void
{
    $order = order_of($event['data']['reference'] ?? '');
    $state = $order === null ? null : state_of($order);
    if ($order === null || ($order['state'] ?? null) === $state) {
        return;
    }
    keep(['state' => $state] + $order); // Your shop ships here once an order is paid, and reacts if it is paid no longer.
    file_put_contents('php://stderr', "{$order['reference']} is $state\n");
}

function show(string $content, int $status = 200): void
{
    http_response_code($status);
    header('Cache-Control: no-store');
    echo "<!doctype html><html lang=\"en\"><title>A shop</title><main>$content</main></html>";
}

function product_page(): string
{
    return '<h1>' . PRODUCT['name'] . '</h1><p>' . PRODUCT['currency'] . ' ' . PRODUCT['amount'] . '</p>
      <form method="post" action="/orders"><button>Buy</button></form>';
}

function checkout_page(string $reference, string $clientToken): string
{
    $tillfront = TILLFRONT_URL;
    return <<<HTML
      <h1>Order $reference</h1>
      <script type="module" src="$tillfront/kit/tillfront.js"></script>
      <tillfront-checkout base-url="$tillfront" client-token="$clientToken"></tillfront-checkout>
      <script type="module">
        document.querySelector('tillfront-checkout').addEventListener('tillfront-result', ({ detail }) => {
          if (detail.status === 'succeeded') location.assign('/thanks?order=$reference');
        });
      </script>
      HTML;
}

function thanks_page(string $reference, string $state): string
{
    return [
        'paid' => "<h1>Thank you</h1><p>Order $reference is paid.</p>",
        'returned' => "<h1>Given back</h1><p>Money of order $reference was given back.</p>",
        'confirming' => '<h1>We are confirming your payment</h1><p>There is nothing you need to do.</p>',
        'unpaid' => "<h1>Not paid yet</h1><p><a href=\"/orders/$reference\">Try again</a></p>",
    ][$state];
}

function answer(string $method, string $path): void
{
    if ("$method $path" === 'GET /') {
        show(product_page());
        return;
    }
    if ("$method $path" === 'POST /orders') {
        $order = ['reference' => 'PHP-' . bin2hex(random_bytes(8))] + PRODUCT;
        keep($order);
        header("Location: /orders/{$order['reference']}", true, 303);
        return;
    }
    if ("$method $path" === 'POST /webhooks') {
        $headers = array_change_key_case(getallheaders(), CASE_LOWER);
        $event = verified_event(file_get_contents('php://input'), $headers);
        $event === null || take_event($event);
        http_response_code($event === null ? 400 : 204);
        return;
    }
    // The wallet's cashier knows the gateway's reference, which ends with the number of the attempt: ORDER_1.
    $reference = isset($_GET['order']) ? preg_replace('/_\d+$/', '', (string) $_GET['order']) : substr($path, strlen('/orders/'));
    $order = order_of($reference);
    if ($order === null) {
        show('<h1>There is no such page</h1>', 404);
        return;
    }
    $state = state_of($order);
    $isToBePaid = $path !== '/thanks' && $state === 'unpaid';
    show($isToBePaid ? checkout_page($reference, create_session($order)['clientToken']) : thanks_page($reference, $state));
}

try {
    answer($_SERVER['REQUEST_METHOD'], parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));
} catch (Throwable $error) {
    file_put_contents('php://stderr', $error->getMessage() . "\n");
    show('Please try again.', 500); // Tillfront sends an event again after this answer.
}
