<?php
function paid_by(array $order): ?array
{
    $query = http_build_query(['reference' => $order['number'], 'status' => 'succeeded']);
    $request = curl_init(getenv('TILLFRONT_URL') . '/v1/payments?' . $query);
    curl_setopt_array($request, [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 20,
        CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('MERCHANT_API_KEY')],
    ]);
    $body = curl_exec($request);
    if ($body === false || curl_getinfo($request, CURLINFO_RESPONSE_CODE) !== 200) {
        throw new RuntimeException('no answer');
    }
    foreach (json_decode($body, true)['data'] as $payment) {
        if (
            $payment['amount'] === $order['total'] && $payment['currency'] === $order['currency']
            && $payment['duplicateOf'] === null && !$payment['needsAttention']
            // Money that was given back, or charged back, leaves it `succeeded`.
            && $payment['amountRefunded'] === null && !$payment['disputed']
            && $payment['livemode'] === (getenv('NODE_ENV') === 'production')
        ) {
            return $payment;
        }
    }
    return null;
}

$payment = paid_by(['number' => $argv[1], 'total' => '1500.00', 'currency' => 'NGN']);
echo $payment ? "ship: paid by {$payment['id']}\n" : "wait: not paid\n";
