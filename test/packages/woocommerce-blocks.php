<?php
// What the block checkout asks of a payment method, after its documentation.
declare(strict_types=1);

namespace Automattic\WooCommerce\Blocks\Payments\Integrations {
    abstract class AbstractPaymentMethodType
    {
        protected $name = '';
        protected $settings = [];

        public function get_name()
        {
            return $this->name;
        }
    }
}

namespace {
    function blocks(): array
    {
        global $scripts;
        $registry = new class {
            public array $methods = [];
            public function register(object $method): void
            {
                $this->methods[] = $method;
            }
        };
        do_action('woocommerce_blocks_payment_method_type_registration', $registry);
        return array_map(function (object $method) use (&$scripts): array {
            $method->initialize();
            $handles = $method->get_payment_method_script_handles();
            return [
                'name' => $method->get_name(),
                'active' => $method->is_active(),
                'data' => $method->get_payment_method_data(),
                'scripts' => array_map(fn (string $handle): array => $scripts[$handle], $handles),
            ];
        }, $registry->methods);
    }
}
