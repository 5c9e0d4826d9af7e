<?php
// As much of WordPress and WooCommerce as the plug-in calls, after their documentation, behind PHP's own server. WooCommerce itself
// needs a database and a web server. Orders are files; what a person does in the shop is a POST to /stub/….
declare(strict_types=1);

define('ABSPATH', __DIR__);
define('TILLFRONT_URL', getenv('TILLFRONT_URL'));
define('TILLFRONT_API_KEY', getenv('MERCHANT_API_KEY'));
define('TILLFRONT_WEBHOOK_SECRET', getenv('MERCHANT_WEBHOOK_SECRET'));
if (getenv('TILLFRONT_LIVE') === 'false') {
    define('TILLFRONT_LIVE', false);
}

$hooks = [];
function add_action(string $name, callable $do): void
{
    global $hooks;
    $hooks[$name][] = $do;
}
function add_filter(string $name, callable $do): void
{
    add_action($name, $do);
}
function do_action(string $name, mixed ...$with): void
{
    global $hooks;
    foreach ($hooks[$name] ?? [] as $do) {
        $do(...$with);
    }
}
function apply_filters(string $name, mixed $value): mixed
{
    global $hooks;
    foreach ($hooks[$name] ?? [] as $do) {
        $value = $do($value);
    }
    return $value;
}
function status_header(int $status): void
{
    http_response_code($status);
}
$notices = [];
function wc_add_notice(string $text, string $type): void
{
    global $notices;
    $notices[] = "$type: $text";
}
function wc_get_logger(): object
{
    return new class {
        public function error(string $text): void
        {
            error_log($text);
        }
    };
}
function wc_get_price_decimals(): int
{
    return 2;
}
function wc_format_decimal(mixed $number, int $decimals): string
{
    return number_format((float) $number, $decimals, '.', '');
}
function WC(): object
{
    return (object) ['countries' => new class {
        public function get_states(string $country): array|false
        {
            return $country === 'NG' ? ['LA' => 'Lagos'] : false;
        }
    }];
}
if (!function_exists('mb_substr')) {
    // WordPress has one of its own where PHP lacks it.
    function mb_substr(string $text, int $from, ?int $length = null): string
    {
        return implode('', array_slice(preg_split('//u', $text, -1, PREG_SPLIT_NO_EMPTY), $from, $length));
    }
}
final class WP_Error
{
    public function __construct(public string $code, public string $message)
    {
    }
}

/** `get_…` reads a member of the file; the other methods are those whose effect matters. */
final class WC_Order
{
    private function __construct(private int $id, private array $data)
    {
    }
    public static function read(int $id): WC_Order|false
    {
        $file = getenv('ORDERS_FOLDER') . "/$id.json";
        return is_file($file) ? new self($id, json_decode(file_get_contents($file), true)) : false;
    }
    public static function create(int $id, array $data): WC_Order
    {
        $order = new self($id, $data + ['status' => 'pending', 'transaction_id' => '', 'payment_method' => 'tillfront', 'meta' => [], 'notes' => [], 'completed' => 0]);
        $order->save();
        return $order;
    }
    public function __call(string $name, array $_): mixed
    {
        return $this->data[substr($name, strlen('get_'))] ?? '';
    }
    public function get_id(): int
    {
        return $this->id;
    }
    public function get_meta(string $name): string
    {
        return $this->data['meta'][$name] ?? '';
    }
    public function update_meta_data(string $name, string $value): void
    {
        $this->data['meta'][$name] = $value;
    }
    public function delete_meta_data(string $name): void
    {
        unset($this->data['meta'][$name]);
    }
    public function is_paid(): bool
    {
        return in_array($this->data['status'], ['processing', 'completed'], true);
    }
    public function set_transaction_id(string $id): void
    {
        $this->data['transaction_id'] = $id;
    }
    public function payment_complete(string $transaction): bool
    {
        if (!in_array($this->data['status'], ['on-hold', 'pending', 'failed', 'cancelled'], true)) {
            return false;
        }
        $this->data['completed'] += 1;
        $this->data['transaction_id'] = $transaction;
        return $this->update_status('processing');
    }
    public function update_status(string $status, string $note = ''): bool
    {
        $this->data['status'] = $status;
        if ($note !== '') {
            $this->add_order_note($note);
        }
        $this->save();
        return true;
    }
    public function add_order_note(string $note): void
    {
        $this->data['notes'][] = $note;
        $this->save();
    }
    public function save(): int
    {
        file_put_contents(getenv('ORDERS_FOLDER') . "/{$this->id}.json", $this->json(), LOCK_EX);
        return $this->id;
    }
    public function json(): string
    {
        return json_encode($this->data, JSON_PRETTY_PRINT);
    }
}
function wc_get_order(int $id): WC_Order|false
{
    return WC_Order::read($id);
}
abstract class WC_Payment_Gateway
{
    public string $id = '', $title = '', $enabled = 'no', $method_title = '', $method_description = '';
    public bool $has_fields = true;
    public array $supports = [], $form_fields = [], $settings = [];
    public function init_settings(): void
    {
        $this->settings = ['enabled' => 'yes'] + array_map(fn (array $field) => $field['default'], $this->form_fields);
    }
    public function process_admin_options(): void
    {
    }
    public function get_title(): string
    {
        return $this->title;
    }
    public function get_option(string $name): string
    {
        return $this->settings[$name];
    }
    public function is_available()
    {
        return $this->enabled === 'yes';
    }
    public function get_return_url(WC_Order $order): string
    {
        return getenv('SHOP_URL') . "/checkout/order-received/{$order->get_id()}/";
    }
}

$scripts = [];
function wp_register_script(string $handle, string $url, array $needed, string $version, bool $inFooter): bool
{
    global $scripts;
    $scripts[$handle] = ['url' => $url, 'needed' => $needed];
    return true;
}
function plugins_url(string $path, string $file): string
{
    return getenv('SHOP_URL') . "/wp-content/plugins/tillfront-woocommerce/$path";
}
require __DIR__ . '/woocommerce-blocks.php';

require getenv('PLUGIN') . '/tillfront-woocommerce.php';
do_action('before_woocommerce_init');
do_action('plugins_loaded');

$url = parse_url($_SERVER['REQUEST_URI']);
parse_str($url['query'] ?? '', $query);
if (isset($query['wc-api'])) {
    do_action("woocommerce_api_{$query['wc-api']}");
    exit;
}
$sent = json_decode(file_get_contents('php://input') ?: '[]', true);
[$gateway] = array_map(fn (string $class) => new $class(), apply_filters('woocommerce_payment_gateways', []));
[, , $act, $id] = explode('/', $url['path']) + ['', '', '', '0'];
header('Content-Type: application/json');
echo match ($act) {
    'order' => WC_Order::create((int) $id, $sent)->json(),
    'show' => WC_Order::read((int) $id)->json(),
    'blocks' => json_encode(blocks()),
    'available' => json_encode(['available' => $gateway->is_available(), 'title' => $gateway->title]),
    'pay' => json_encode($gateway->process_payment((int) $id) + ['notices' => $notices]),
    // As wc_refund_payment() does: true, or a WP_Error whose refund is then deleted.
    'refund' => json_encode(['said' => $gateway->process_refund((int) $id, $sent['amount'], $sent['reason'] ?? '')]),
};
