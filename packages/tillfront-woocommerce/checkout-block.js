/* Registers Tillfront in WooCommerce's block checkout, which then sends the payer to the address that the gateway answers with. */
(() => {
  const { wc, wp } = globalThis;
  const { title, supports } = wc.wcSettings.getSetting('tillfront_data', {
    title: 'Tillfront',
    supports: ['products'],
  });
  const label = wp.htmlEntities.decodeEntities(title);
  const content = wp.element.createElement('p', null, 'You pay on the next page.');
  wc.wcBlocksRegistry.registerPaymentMethod({
    ...{ name: 'tillfront', label, ariaLabel: label, content, edit: content },
    canMakePayment: () => true,
    supports: { features: supports },
  });
})();
