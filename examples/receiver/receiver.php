<?php
function verified_event(string $body, array $headers, string $secret): ?array
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return null;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')), true);
    $expected = base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $signature) {
        if (hash_equals("v1,$expected", $signature)) {
            return json_decode($body, true);
        }
    }
    return null;
}

$headers = array_change_key_case(getallheaders(), CASE_LOWER);
$event = verified_event(file_get_contents('php://input'), $headers, getenv('WEBHOOK_SECRET'));
if ($event === null) {
    http_response_code(400);
    exit;
}
// Insert $event['id'] into a table with a unique key: a repeat changes nothing. Work on it after the answer.
http_response_code(204);
