<?php
declare(strict_types=1);

defined('ABSPATH') || exit;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;

/** Shows the gateway in the block checkout. What happens to an order is the gateway's own in both checkouts. */
final class Tillfront_Blocks extends AbstractPaymentMethodType
{
    private const SCRIPT = 'tillfront-checkout-block';

    protected $name = 'tillfront';

    public function __construct(private readonly Tillfront_Gateway $gateway)
    {
    }

    public function initialize()
    {
        $this->settings = $this->gateway->settings;
    }

    public function is_active()
    {
        return $this->gateway->is_available();
    }

    public function get_payment_method_script_handles()
    {
        $needed = ['wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities'];
        wp_register_script(self::SCRIPT, plugins_url('checkout-block.js', __FILE__), $needed, (string) filemtime(__DIR__ . '/checkout-block.js'), true);
        return [self::SCRIPT];
    }

    public function get_payment_method_data()
    {
        return ['title' => $this->gateway->get_title(), 'supports' => $this->gateway->supports];
    }
}
