<?php
/**
 * Plugin Name: Tillfront for WooCommerce
 * Description: Payers pay at the hosted page of your Tillfront. An order is paid only by a signed event.
 * Version: 1.0.0
 * Requires PHP: 8.1
 * Requires Plugins: woocommerce
 * License: Apache-2.0
 */
declare(strict_types=1);

defined('ABSPATH') || exit;

require_once __DIR__ . '/tillfront.php';

add_action('before_woocommerce_init', function (): void {
    // Orders are read and written by their methods alone, so both of WooCommerce's stores of orders will do.
    if (class_exists(Automattic\WooCommerce\Utilities\FeaturesUtil::class)) {
        Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility('custom_order_tables', __FILE__);
        Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility('cart_checkout_blocks', __FILE__);
    }
});

add_action('plugins_loaded', function (): void {
    if (!class_exists('WC_Payment_Gateway')) {
        return;
    }
    require_once __DIR__ . '/class-tillfront-gateway.php';
    add_filter('woocommerce_payment_gateways', fn (array $gateways): array => [...$gateways, Tillfront_Gateway::class]);
    // Events come without a visitor, so no list of gateways may have been asked for.
    add_action('woocommerce_api_tillfront', fn () => (new Tillfront_Gateway())->take_event());
});

add_action('woocommerce_blocks_payment_method_type_registration', function ($registry): void {
    require_once __DIR__ . '/class-tillfront-gateway.php';
    require_once __DIR__ . '/class-tillfront-blocks.php';
    $registry->register(new Tillfront_Blocks(new Tillfront_Gateway()));
});
