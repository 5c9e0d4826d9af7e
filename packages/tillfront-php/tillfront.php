<?php
declare(strict_types=1);

namespace Tillfront;

/** A call was refused, or its outcome is not known. It contains nothing that was sent. */
final class TillfrontException extends \RuntimeException
{
    /**
     * @param string $problem Decide by this: the service's code (docs/integrate.md), `no-answer` where nothing answered in
     *     time, or `not-the-service` where something else did, such as a proxy.
     * @param ?int $status The HTTP status. Null where there was no answer.
     * @param ?string $requestId For support: the service's log has it too.
     * @param list<array{pointer: string, message: string}> $errors The refused fields.
     * @param ?string $paymentId The payment that the call began or met.
     * @param ?string $idempotencyKey The key of the call. After `no-answer`, repeat the call with this key: with another one it
     *     would be a second call.
     * @param ?int $retryAfterSeconds When the service wants to be asked again.
     */
    public function __construct(
        public readonly string $problem,
        string $message,
        public readonly ?int $status = null,
        public readonly ?string $requestId = null,
        public readonly array $errors = [],
        public readonly ?string $paymentId = null,
        public readonly ?string $idempotencyKey = null,
        public readonly ?int $retryAfterSeconds = null,
    ) {
        parent::__construct($message);
    }
}

/** A request that is no event of your Tillfront. Answer 400. */
final class WebhookVerificationException extends \RuntimeException
{
    /** @param string $problem `malformed`, `stale` (more than five minutes off) or `signature`. */
    public function __construct(public readonly string $problem, string $message)
    {
        parent::__construct($message);
    }
}

/**
 * The event of a request, if Tillfront has signed it within the last five minutes (Standard Webhooks).
 *
 * @param string $rawBody The body as it was received: `file_get_contents('php://input')`.
 * @param array<string, string|list<string>> $headers As `getallheaders()`, PSR-7 or `$_SERVER` have them.
 * @param string $secret `MERCHANT_WEBHOOK_SECRET`, as the service has it. Where it is two secrets, either may have signed.
 * @return array<string, mixed> The event: `id`, `type`, `livemode`, `data` and more. Types that you do not know may come.
 * @throws WebhookVerificationException
 */
function verifyEvent(string $rawBody, array $headers, #[\SensitiveParameter] string $secret): array
{
    $keys = [];
    foreach (explode(',', $secret) as $one) {
        $encoded = preg_match('~^whsec_([A-Za-z0-9+/]+={0,2})$~D', trim($one), $match) ? $match[1] : '';
        $key = base64_decode($encoded, true);
        // An empty or short key would accept what anybody can sign.
        if ($key === false || strlen($key) < 24) {
            throw new \InvalidArgumentException('The secret must be MERCHANT_WEBHOOK_SECRET: whsec_ and the base64 of 24 bytes or more.');
        }
        $keys[] = $key;
    }
    $given = [];
    foreach ($headers as $name => $value) {
        $name = preg_replace('/^http-/', '', strtr(strtolower((string) $name), '_', '-'));
        $given[$name] = array_merge($given[$name] ?? [], is_array($value) ? $value : [$value]);
    }
    $header = fn (string $name): string => count($given[$name] ?? []) === 1 ? (string) $given[$name][0] : '';
    [$id, $timestamp, $signatures] = array_map($header, ['webhook-id', 'webhook-timestamp', 'webhook-signature']);
    if ($id === '' || $signatures === '' || !preg_match('/^[0-9]{1,12}$/D', $timestamp)) {
        throw new WebhookVerificationException('malformed', 'The headers of an event are missing.');
    }
    if (abs(microtime(true) - (int) $timestamp) > 300) {
        throw new WebhookVerificationException('stale', 'The timestamp is more than five minutes off.');
    }
    foreach ($keys as $key) {
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$rawBody", $key, true));
        foreach (explode(' ', $signatures) as $signature) {
            if (hash_equals($expected, $signature)) {
                return json_decode($rawBody, true, 64, JSON_THROW_ON_ERROR);
            }
        }
    }
    throw new WebhookVerificationException('signature', 'The signature is of another secret or body.');
}

/**
 * A client of one Tillfront, for a shop's server. Every method throws {@see TillfrontException}. It writes no log. Answers are arrays
 * as docs/openapi.json describes them. Money is a decimal string, never a float.
 */
final class Client
{
    /** Refusals of calls that may be done if they come again. With the same key nothing is done twice. */
    private const WORTH_REPEATING = ['idempotency-in-flight', 'overloaded', 'rate-limited', 'shutting-down', 'store-unavailable'];
    /** A caller waits for an answer, so a longer pause is left to it. */
    private const LONGEST_PAUSE_SECONDS = 10;

    private string $url;

    /**
     * @param string $url Tillfront's address. Where the service has a `MERCHANT_PORT`, the address with that port.
     * @param string $apiKey A merchant key. Never give it to a browser.
     * @param int $timeoutSeconds How long one attempt may take.
     * @param int $maxRetries How many more attempts a call has. Only calls that cannot be done twice are repeated.
     */
    public function __construct(
        string $url,
        #[\SensitiveParameter] private string $apiKey,
        private int $timeoutSeconds = 40,
        private int $maxRetries = 2,
    ) {
        if (!preg_match('~^https?://[^/\s]~i', $url)) {
            throw new \InvalidArgumentException('The url must be the http or https address of Tillfront.');
        }
        if (!preg_match('/^[\x21-\x7e]+$/D', $apiKey)) {
            throw new \InvalidArgumentException('The key must be a merchant key: visible ASCII characters, without spaces.');
        }
        $this->url = rtrim($url, '/');
    }

    /** What `var_dump` shows: not the key. */
    public function __debugInfo(): array
    {
        return ['url' => $this->url];
    }

    /**
     * Creates a session, or gives the one that the key has created. Look at its `status`: after a session has expired or was closed,
     * its key goes on giving that one. `clientToken` and `checkoutUrl` are for the payer's browser alone.
     */
    public function createSession(#[\SensitiveParameter] array $session, ?string $idempotencyKey = null): array
    {
        return $this->post('/v1/checkout-sessions', $session, $idempotencyKey);
    }

    public function getSession(string $id): array
    {
        return $this->get('/v1/checkout-sessions/' . self::segment($id));
    }

    /** The sessions of an order, the newest first. */
    public function listSessions(string $reference): array
    {
        return $this->get('/v1/checkout-sessions', ['reference' => $reference])['data'];
    }

    /** Ends an unpaid session, so that its reference can have another one. */
    public function closeSession(string $id, ?string $idempotencyKey = null): array
    {
        return $this->post('/v1/checkout-sessions/' . self::segment($id) . '/close', [], $idempotencyKey);
    }

    /** Erases the payer's data. */
    public function redactSession(string $id, ?string $idempotencyKey = null): array
    {
        return $this->post('/v1/checkout-sessions/' . self::segment($id) . '/redact', [], $idempotencyKey);
    }

    /** A payment. With `wait` (seconds) in the query, as soon as its status or next action changes. */
    public function getPayment(string $id, array $query = []): array
    {
        return $this->get('/v1/payments/' . self::segment($id), $query);
    }

    /** A page of payments, the newest first: `data` and `nextCursor`. */
    public function listPayments(array $query = []): array
    {
        return $this->get('/v1/payments', $query);
    }

    /** All payments, page by page. */
    public function allPayments(array $query = []): \Generator
    {
        return $this->itemsOf('/v1/payments', $query, 'cursor');
    }

    /** What happened to a payment, the oldest first. */
    public function getTimeline(string $id): array
    {
        return $this->get('/v1/payments/' . self::segment($id) . '/events')['data'];
    }

    /** Takes the money of an `authorized` payment: all of it, or an `amount`. */
    public function completePayment(string $id, array $completion = [], ?string $idempotencyKey = null): array
    {
        return $this->post('/v1/payments/' . self::segment($id) . '/complete', $completion, $idempotencyKey);
    }

    /** Reverses a whole payment. While `pendingOperation` is set, its outcome is not known yet. */
    public function voidPayment(string $id, ?string $idempotencyKey = null): array
    {
        return $this->post('/v1/payments/' . self::segment($id) . '/void', [], $idempotencyKey);
    }

    /** Ends a payment that waits for the payer. The gateway is asked first. */
    public function cancelPayment(string $id, ?string $idempotencyKey = null): array
    {
        return $this->post('/v1/payments/' . self::segment($id) . '/cancel', [], $idempotencyKey);
    }

    /** Asks the gateway now. It is sent once. */
    public function refreshPayment(string $id): array
    {
        return $this->call('POST', '/v1/payments/' . self::segment($id) . '/refresh', [], null);
    }

    /**
     * Gives back all that is left of a payment, or an `amount`. `processing` means that the outcome is not known yet: do not ask again
     * with another key. Where another person must approve it first, the answer has an `approval` in place of the refund.
     */
    public function createRefund(string $paymentId, #[\SensitiveParameter] array $refund = [], ?string $idempotencyKey = null): array
    {
        return $this->post('/v1/payments/' . self::segment($paymentId) . '/refunds', $refund, $idempotencyKey);
    }

    /** The refunds of a payment that you asked for, the oldest first. */
    public function refundsOfPayment(string $paymentId): array
    {
        return $this->get('/v1/payments/' . self::segment($paymentId) . '/refunds')['data'];
    }

    /** A page of events, the oldest first. */
    public function listEvents(array $query = []): array
    {
        return $this->get('/v1/events', $query);
    }

    /** All events after the one in `after` until now, the oldest first: what your server has missed. */
    public function allEvents(array $query = []): \Generator
    {
        return $this->itemsOf('/v1/events', $query, 'after');
    }

    /** Sends an event to your server again, under its id. It is sent once. */
    public function redeliverEvent(string $id): array
    {
        return $this->call('POST', '/v1/events/' . self::segment($id) . '/redeliver', [], null);
    }

    private function itemsOf(string $path, array $query, string $cursorName): \Generator
    {
        do {
            $page = $this->get($path, $query);
            foreach ($page['data'] as $item) {
                yield $item;
            }
            $query[$cursorName] = $page['nextCursor'];
        } while ($page['nextCursor'] !== null);
    }

    private function get(string $path, array $query = []): array
    {
        // `false` would become 0.
        $query = array_map(fn ($value) => is_bool($value) ? var_export($value, true) : $value, $query);
        return $this->call('GET', $path . ($query === [] ? '' : '?' . http_build_query($query)), null, null);
    }

    private function post(string $path, #[\SensitiveParameter] array $body, ?string $key): array
    {
        $key ??= bin2hex(random_bytes(16));
        if (!preg_match('/^[\x21-\x7e]{1,255}$/D', $key)) {
            throw new \InvalidArgumentException('The idempotency key must be 1 to 255 visible ASCII characters.');
        }
        return $this->call('POST', $path, $body, $key);
    }

    private function call(string $method, string $path, #[\SensitiveParameter] ?array $body, ?string $key): array
    {
        for ($retries = 0;; $retries++) {
            try {
                return $this->attempt($method, $path, $body, $key);
            } catch (TillfrontException $refused) {
                // Jitter, so that many callers do not come back at the same moment.
                $pause = $refused->retryAfterSeconds ?? 0.3 * 2 ** $retries * (1 + mt_rand() / mt_getrandmax());
                $isSafe = $method === 'GET' || $key !== null;
                if (!$isSafe || $retries >= $this->maxRetries || !self::isWorthRepeating($refused) || $pause > self::LONGEST_PAUSE_SECONDS) {
                    throw $refused;
                }
                usleep((int) ($pause * 1_000_000));
            }
        }
    }

    private function attempt(string $method, string $path, #[\SensitiveParameter] ?array $body, ?string $key): array
    {
        $retryAfter = null;
        $headers = ["Authorization: Bearer {$this->apiKey}", 'Accept: application/json', 'User-Agent: tillfront-php', 'Expect:'];
        if ($body !== null) {
            $headers[] = 'Content-Type: application/json';
        }
        if ($key !== null) {
            $headers[] = "Idempotency-Key: $key";
        }
        $request = curl_init($this->url . $path);
        curl_setopt_array($request, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_RETURNTRANSFER => true,
            // The service never redirects these calls, and the key must not go elsewhere.
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_TIMEOUT => $this->timeoutSeconds,
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$retryAfter): int {
                if (preg_match('/^retry-after:\s*([0-9]{1,6})\s*$/i', $line, $match)) {
                    $retryAfter = (int) $match[1];
                }
                return strlen($line);
            },
        ]);
        if ($body !== null) {
            curl_setopt($request, CURLOPT_POSTFIELDS, json_encode((object) $body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE));
        }
        $text = curl_exec($request);
        if ($text === false) {
            $why = curl_strerror(curl_errno($request));
            throw new TillfrontException('no-answer', "Tillfront gave no answer: $why.", idempotencyKey: $key);
        }
        $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
        $answer = json_decode($text, true);
        if ($status >= 200 && $status < 300 && is_array($answer)) {
            return $answer;
        }
        if (!is_array($answer) || !is_string($answer['code'] ?? null)) {
            throw new TillfrontException('not-the-service', "What answers is not Tillfront (HTTP $status).", $status, idempotencyKey: $key, retryAfterSeconds: $retryAfter);
        }
        $fields = array_map(fn (array $one): string => "\n  {$one['pointer']} {$one['message']}", $answer['errors'] ?? []);
        throw new TillfrontException(
            $answer['code'],
            $answer['code'] . ': ' . ($answer['detail'] ?? '') . implode('', $fields),
            $status,
            $answer['requestId'] ?? null,
            $answer['errors'] ?? [],
            $answer['paymentId'] ?? null,
            $key,
            $retryAfter,
        );
    }

    private static function isWorthRepeating(TillfrontException $refused): bool
    {
        return match ($refused->problem) {
            'no-answer' => true,
            // What proxies answer in place of a service that they cannot reach.
            'not-the-service' => in_array($refused->status, [502, 503, 504], true),
            default => in_array($refused->problem, self::WORTH_REPEATING, true),
        };
    }

    /** An id as a part of a path: `..` would be another call. */
    private static function segment(string $id): string
    {
        if (preg_match('/^[A-Za-z0-9_-]+$/D', $id)) {
            return $id;
        }
        throw new \InvalidArgumentException('That is not the id of a session, a payment or an event.');
    }
}
