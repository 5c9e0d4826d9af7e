import { ModuleProvider, Modules } from '@medusajs/framework/utils';
import { TillfrontPaymentProvider } from './provider';

/** The provider's id in Medusa is `pp_tillfront_tillfront`. Tillfront posts its events to `/hooks/payment/tillfront_tillfront`. */
export default ModuleProvider(Modules.PAYMENT, { services: [TillfrontPaymentProvider] });
