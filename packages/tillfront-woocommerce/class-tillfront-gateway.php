<?php
declare(strict_types=1);

defined('ABSPATH') || exit;

use Tillfront\Client;
use Tillfront\TillfrontException;
use Tillfront\WebhookVerificationException;

/**
 * Sends payers to Tillfront's page, and believes what its signed events and its answers say. The keys are constants of
 * wp-config.php, so that no row or backup of the shop's database has them.
 */
final class Tillfront_Gateway extends WC_Payment_Gateway
{
    /** How many sessions of one order may be over before a person has to look. */
    private const SESSIONS = 5;

    /** Failures of a call after which the refund may have been made. */
    private const PERHAPS_DONE = [
        'no-answer', 'not-the-service', 'idempotency-in-flight', 'internal-error', 'overloaded', 'rate-limited', 'shutting-down', 'store-unavailable',
    ];

    public function __construct()
    {
        $this->id = 'tillfront';
        $this->method_title = 'Tillfront';
        $this->method_description = 'Payers pay at the page of your Tillfront.';
        $this->has_fields = false;
        $this->supports = ['products', 'refunds'];
        $this->form_fields = [
            'enabled' => ['title' => 'Enabled', 'type' => 'checkbox', 'label' => 'Offer Tillfront', 'default' => 'no'],
            'title' => ['title' => 'Title', 'type' => 'text', 'default' => 'Card, wallet, bank transfer or USSD'],
        ];
        $this->init_settings();
        $this->title = $this->get_option('title');
        $this->enabled = $this->get_option('enabled');
        add_action("woocommerce_update_options_payment_gateways_{$this->id}", [$this, 'process_admin_options']);
    }

    public function is_available()
    {
        return parent::is_available() && defined('TILLFRONT_URL') && defined('TILLFRONT_API_KEY') && defined('TILLFRONT_WEBHOOK_SECRET');
    }

    /** Makes the order's session and sends the payer to its page. Nothing is paid by this. */
    public function process_payment($order_id)
    {
        $order = wc_get_order($order_id);
        try {
            $session = $this->session_of($order);
        } catch (TillfrontException $refused) {
            $this->log($order, $refused);
            wc_add_notice($refused->problem === 'payment-in-progress'
                ? 'A payment of this order is still being confirmed. Please wait a moment.'
                : 'The payment cannot be started now. Please try again.', 'error');
            return ['result' => 'failure'];
        }
        $isPaid = $session['status'] === 'paid';
        return ['result' => 'success', 'redirect' => $isPaid ? $this->get_return_url($order) : $session['checkoutUrl']];
    }

    /** The open session of this order as it now is, or the paid one. One that is over, or of another total, gets a successor with a key of its own. */
    private function session_of(WC_Order $order): array
    {
        $client = $this->client();
        $owed = [
            'reference' => self::reference($order),
            'amount' => self::decimal($order->get_total()),
            'currency' => $order->get_currency(),
            'returnUrl' => $this->get_return_url($order),
        ];
        $number = max(1, (int) $order->get_meta('_tillfront_session'));
        for ($last = $number + self::SESSIONS;; $number++) {
            $order->update_meta_data('_tillfront_session', (string) $number);
            $order->save();
            $key = "{$owed['reference']}-$number";
            try {
                try {
                    $session = $client->createSession($owed + self::payer($order), $key);
                } catch (TillfrontException $refused) {
                    // A phone number without a country, say: the payer is asked on the page for what is left out.
                    if ($refused->problem !== 'validation-failed') {
                        throw $refused;
                    }
                    $session = $client->createSession($owed, $key);
                }
                if (in_array($session['status'], ['open', 'paid'], true) || $number >= $last) {
                    return $session;
                }
            } catch (TillfrontException $refused) {
                // The order has changed since its session was made. Closing that one fails while somebody pays it.
                if (!in_array($refused->problem, ['idempotency-key-reused', 'reference-in-use'], true) || $number >= $last) {
                    throw $refused;
                }
                foreach ($client->listSessions($owed['reference']) as $former) {
                    if ($former['status'] === 'paid') {
                        return $former;
                    }
                    if ($former['status'] === 'open') {
                        $client->closeSession($former['id'], "close-{$former['id']}");
                    }
                }
            }
        }
    }

    /** Takes an event at `/?wc-api=tillfront`, and answers with a status alone. */
    public function take_event(): void
    {
        try {
            $event = Tillfront\verifyEvent($this->body(), $_SERVER, TILLFRONT_WEBHOOK_SECRET);
        } catch (WebhookVerificationException) {
            $this->answer(400);
            return;
        }
        $data = $event['data'];
        $order = str_starts_with($event['type'], 'payment.') ? self::order_of($data['reference'] ?? '') : null;
        if ($order === null || $order->get_payment_method() !== $this->id) {
            $this->answer(204);
            return;
        }
        try {
            // The event proves that something has changed. What holds now is asked, so old and repeated events do no harm.
            $this->apply($order, $event, $this->client()->getPayment($data['id']));
            $this->answer(204);
        } catch (TillfrontException $refused) {
            $this->log($order, $refused);
            // It comes again.
            $this->answer(503);
        }
    }

    private function apply(WC_Order $order, array $event, array $payment): void
    {
        $seen = "_tillfront_{$payment['id']}";
        if ((int) $order->get_meta($seen) >= $event['sequence']) {
            return;
        }
        $isOurs = $order->get_transaction_id() === $payment['id'];
        if ($event['type'] === 'payment.succeeded' && self::pays($payment, $order)) {
            if (!$order->is_paid()) {
                $order->payment_complete($payment['id']);
            } elseif (!$isOurs) {
                // The one that paid no longer holds money, and this one pays now.
                $order->set_transaction_id($payment['id']);
            }
            $order->add_order_note("Paid ({$payment['id']}).");
        } elseif ($isOurs && ($payment['status'] === 'voided' || $payment['disputed'] || $payment['needsAttention'])) {
            $order->update_status('on-hold', "Look at {$payment['id']} in the console of Tillfront ({$event['type']}).");
        } elseif ($event['type'] !== 'payment.requires_action') {
            $given = $payment['amountRefunded'] === null ? '' : " Given back so far: {$payment['amountRefunded']} {$payment['currency']}.";
            $order->add_order_note("{$event['type']}: {$payment['id']} is {$payment['status']}.$given");
        }
        $order->update_meta_data($seen, (string) $event['sequence']);
        $order->save();
    }

    /** Whether this payment, as it is now, pays this order, as it is now. */
    private static function pays(array $payment, WC_Order $order): bool
    {
        return $payment['status'] === 'succeeded'
            && $payment['reference'] === self::reference($order)
            && $payment['currency'] === $order->get_currency()
            && self::plain($payment['amount']) === self::plain(self::decimal($order->get_total()))
            && $payment['livemode'] === (!defined('TILLFRONT_LIVE') || TILLFRONT_LIVE)
            && $payment['duplicateOf'] === null
            && !$payment['needsAttention']
            && $payment['amountRefunded'] === null
            && !$payment['disputed'];
    }

    /**
     * Gives money back. The refund and its key stand in the order until its outcome is known. WooCommerce forgets a refund that did
     * not end well at once, so a person asks for it again: with the same key, which gives nothing back twice.
     */
    public function process_refund($order_id, $amount = null, $reason = '')
    {
        $order = wc_get_order($order_id);
        if ($amount === null || $order->get_transaction_id() === '') {
            return new WP_Error('tillfront', 'This order has no payment to give back.');
        }
        $given = self::decimal($amount);
        $pending = json_decode((string) $order->get_meta('_tillfront_refund'), true)
            ?? ['amount' => $given, 'key' => bin2hex(random_bytes(16)), 'reason' => mb_substr((string) $reason, 0, 200)];
        if ($pending['amount'] !== $given) {
            return new WP_Error('tillfront', "The outcome of a refund of {$pending['amount']} is not known yet. Ask for that one again first.");
        }
        $this->remember($order, $pending);
        try {
            $answer = $this->client()->createRefund(
                $order->get_transaction_id(),
                ['amount' => $given] + ($pending['reason'] === '' ? [] : ['reason' => $pending['reason']]),
                $pending['key'],
            );
        } catch (TillfrontException $refused) {
            $this->log($order, $refused);
            if (in_array($refused->problem, self::PERHAPS_DONE, true)) {
                return new WP_Error('tillfront', 'It is not known whether the refund was made. Ask for the same refund again: it is made once.');
            }
            $this->remember($order, null);
            return new WP_Error('tillfront', "Nothing was given back ({$refused->problem}).");
        }
        $state = $answer['approval']['state'] ?? 'approved';
        $status = $state === 'approved' ? ($answer['result'] ?? $answer)['status'] ?? 'processing' : $state;
        if (in_array($status, ['succeeded', 'failed', 'declined', 'expired'], true)) {
            $this->remember($order, null);
        }
        return match ($status) {
            'succeeded' => true,
            'failed' => new WP_Error('tillfront', 'Nothing was given back: the gateway refused it.'),
            'declined', 'expired' => new WP_Error('tillfront', 'Nothing was given back: nobody approved it.'),
            'waiting' => new WP_Error('tillfront', 'Another person must approve this refund in the console of Tillfront. Ask for the same refund again after that.'),
            default => new WP_Error('tillfront', 'The outcome of the refund is not known yet. Ask for the same refund again later: it is made once.'),
        };
    }

    private function remember(WC_Order $order, ?array $refund): void
    {
        if ($refund === null) {
            $order->delete_meta_data('_tillfront_refund');
        } else {
            $order->update_meta_data('_tillfront_refund', json_encode($refund));
        }
        $order->save();
    }

    private function client(): Client
    {
        return new Client(TILLFRONT_URL, TILLFRONT_API_KEY);
    }

    private static function reference(WC_Order $order): string
    {
        return "WC-{$order->get_id()}";
    }

    private static function order_of(string $reference): ?WC_Order
    {
        $order = preg_match('/^WC-([1-9][0-9]{0,17})$/D', $reference, $match) ? wc_get_order((int) $match[1]) : false;
        return $order instanceof WC_Order ? $order : null;
    }

    private static function payer(WC_Order $order): array
    {
        $countries = require __DIR__ . '/countries.php';
        $country = $order->get_billing_country();
        $states = WC()->countries->get_states($country) ?: [];
        $given = fn (array $values): array => array_filter($values, fn ($value): bool => !in_array($value, ['', [], null], true));
        return $given([
            'payer' => $given([
                'email' => $order->get_billing_email(),
                'phone' => preg_replace('/[ ()-]/', '', $order->get_billing_phone()),
                'firstName' => $order->get_billing_first_name(),
                'lastName' => $order->get_billing_last_name(),
            ]),
            'billing' => $given([
                'street' => trim("{$order->get_billing_address_1()} {$order->get_billing_address_2()}"),
                'city' => $order->get_billing_city(),
                'stateProvince' => $states[$order->get_billing_state()] ?? $order->get_billing_state(),
                'postCode' => $order->get_billing_postcode(),
                'country' => $countries[$country] ?? '',
            ]),
        ]);
    }

    private static function decimal(mixed $amount): string
    {
        return wc_format_decimal($amount, wc_get_price_decimals());
    }

    /** `1500.00` and `1500` are one amount. */
    private static function plain(string $amount): string
    {
        return str_contains($amount, '.') ? rtrim(rtrim($amount, '0'), '.') : $amount;
    }

    private function log(WC_Order $order, TillfrontException $refused): void
    {
        wc_get_logger()->error("Order {$order->get_id()}: {$refused->getMessage()}", ['source' => 'tillfront', 'requestId' => $refused->requestId]);
    }

    private function body(): string
    {
        return (string) file_get_contents('php://input');
    }

    private function answer(int $status): void
    {
        status_header($status);
        exit;
    }
}
