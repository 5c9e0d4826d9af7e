<?php
function create_session(array $order): array
{
    $request = curl_init(getenv('TILLFRONT_URL') . '/v1/checkout-sessions');
    curl_setopt_array($request, [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 20,
        CURLOPT_HTTPHEADER => [
            'Authorization: Bearer ' . getenv('MERCHANT_API_KEY'),
            'Content-Type: application/json',
            // One key per session. After it has expired or was closed, use a new one: order-…-2.
            'Idempotency-Key: order-' . $order['number'] . '-1',
        ],
        CURLOPT_POSTFIELDS => json_encode([
            'reference' => $order['number'],
            'amount' => $order['total'],
            'currency' => 'NGN',
            'payer' => ['email' => $order['email']],
            'returnUrl' => 'https://shop.example/thanks',
        ]),
    ]);
    $body = curl_exec($request);
    $answer = $body === false ? [] : json_decode($body, true);
    if (!in_array(curl_getinfo($request, CURLINFO_RESPONSE_CODE), [200, 201], true)) {
        $fields = array_map(fn ($error) => "\n  {$error['pointer']} {$error['message']}", $answer['errors'] ?? []);
        throw new RuntimeException(($answer['code'] ?? 'no answer') . ': ' . ($answer['detail'] ?? curl_error($request)) . implode($fields));
    }
    return $answer;
}

$session = create_session(['number' => 'PHP-1001', 'total' => '1500.00', 'email' => 'ada@example.com']);
echo $session['checkoutUrl'], "\n";
