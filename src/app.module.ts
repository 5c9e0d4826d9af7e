import { Module, type DynamicModule } from '@nestjs/common';
import { AccountingModule } from './accounting/accounting.module.js';
import { ApprovalsModule } from './approvals/approvals.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { CheckoutModule } from './checkout/checkout.module.js';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import type { Gateway } from './gateway/gateway.js';
import { GatewayModule } from './gateway/gateway.module.js';
import { MethodsModule } from './methods/methods.module.js';
import { NotificationsModule } from './notifications/notifications.module.js';
import { OpsModule } from './ops/ops.module.js';
import type { OpenedStore } from './store/opened-store.js';
import { StoreModule } from './store/store.module.js';
import { TelemetryModule, type Telemetry } from './telemetry/telemetry.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** What is created before the application. Any of it may stop the start with a message for the operator. */
export interface Dependencies {
  config: Config;
  gateway: Gateway;
  store: OpenedStore;
  telemetry: Telemetry;
}

@Module({})
export class AppModule {
  static forRoot({ config, gateway, store, telemetry }: Dependencies): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        TelemetryModule.forRoot(telemetry),
        StoreModule.forRoot(store),
        GatewayModule.forRoot(gateway),
        AuditModule,
        AuthModule,
        CheckoutModule,
        MethodsModule,
        ApprovalsModule,
        AccountingModule,
        NotificationsModule,
        WebhooksModule,
        OpsModule,
      ],
    };
  }
}
