<?php
// One call of the packed client: its name and arguments come in as JSON, its result or failure goes out as JSON.
[, $package, $call] = $argv;
require $package;
['name' => $name, 'args' => $args] = json_decode($call, true);
try {
    if ($name === 'verifyEvent') {
        $result = Tillfront\verifyEvent(...$args);
    } elseif ($name === 'show') {
        ob_start();
        var_dump(new Tillfront\Client('http://127.0.0.1:9', getenv('MERCHANT_API_KEY')));
        $result = ob_get_clean();
    } else {
        $result = (new Tillfront\Client(getenv('TILLFRONT_URL'), getenv('MERCHANT_API_KEY')))->$name(...$args);
        $result = $result instanceof Generator ? iterator_to_array($result, false) : $result;
    }
    echo json_encode(['result' => $result]);
} catch (Tillfront\TillfrontException $e) {
    echo json_encode(['failure' => [
        'code' => $e->problem, 'status' => $e->status, 'requestId' => $e->requestId, 'errors' => $e->errors,
        'idempotencyKey' => $e->idempotencyKey, 'retryAfterSeconds' => $e->retryAfterSeconds, 'text' => (string) $e,
    ]]);
} catch (Tillfront\WebhookVerificationException $e) {
    echo json_encode(['failure' => ['code' => $e->problem]]);
} catch (InvalidArgumentException $e) {
    echo json_encode(['failure' => ['code' => 'argument', 'text' => (string) $e]]);
}
