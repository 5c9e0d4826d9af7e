import { Module, type DynamicModule } from '@nestjs/common';
import { AuditModule } from './audit/audit.module.js';
import { ApprovalsModule } from './approvals/approvals.module.js';
import { CardsModule } from './methods/cards/cards.module.js';
import { CheckoutModule } from './checkout/checkout.module.js';
import { ConfigModule } from './config/config.module.js';
import type { Config } from './config/config.js';
import { EventsModule } from './event-feed/events.module.js';
import { Gateway } from './gateway/gateway.js';
import { GatewayModule } from './gateway/gateway.module.js';
import type { Profile } from './gateway/profile/load.js';
import { PlainMethodsModule } from './methods/plain/plain-methods.module.js';
import { NotificationsModule } from './notifications/notifications.module.js';
import { OpsModule } from './ops/ops.module.js';
import { ReconciliationModule } from './payments/reconciliation/reconciliation.module.js';
import { Store } from './store/store.js';
import { AuthModule } from './auth/auth.module.js';
import { StoreModule } from './store/store.module.js';
import { TelemetryModule, type Telemetry } from './telemetry/telemetry.module.js';

/** What is created before the application. Any of it may stop the start with a message for the operator. */
export interface Dependencies {
  config: Config;
  profile: Profile;
  gateway: Gateway;
  store: Store;
  telemetry: Telemetry;
}

@Module({})
export class AppModule {
  static forRoot({ config, profile, gateway, store, telemetry }: Dependencies): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        TelemetryModule.forRoot(telemetry),
        StoreModule.forRoot(store),
        GatewayModule.forRoot(gateway, profile),
        AuthModule,
        CheckoutModule,
        CardsModule,
        PlainMethodsModule,
        NotificationsModule,
        EventsModule,
        ApprovalsModule,
        AuditModule,
        ReconciliationModule,
        OpsModule.forRoot(config),
      ],
    };
  }
}
