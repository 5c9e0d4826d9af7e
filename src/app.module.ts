import { Global, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { AccountingModule } from './accounting/accounting.module.js';
import { ApprovalsModule } from './approvals/approvals.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { CheckoutModule } from './checkout/checkout.module.js';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { Gateway } from './gateway/gateway.js';
import { MethodsModule } from './methods/methods.module.js';
import { NotificationsModule } from './notifications/notifications.module.js';
import { OpsModule } from './ops/ops.module.js';
import type { OpenedStore } from './store/opened-store.js';
import { Store } from './store/store.js';
import { LOGGER } from './telemetry/logger.js';
import { Metrics } from './telemetry/metrics.js';
import type { Telemetry } from './telemetry/telemetry.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** What is created before the application. Any of it may stop the start with a message for the operator. */
export interface Dependencies {
  config: Config;
  gateway: Gateway;
  store: OpenedStore;
  telemetry: Telemetry;
}

/** Provides store, gateway, log and metrics to every module, and closes the first two after everything that uses them. */
@Global()
@Module({})
class DependenciesModule implements OnApplicationShutdown {
  constructor(
    private readonly store: Store,
    private readonly gateway: Gateway,
  ) {}

  static forRoot({ store, gateway, telemetry }: Dependencies): DynamicModule {
    const providers = [
      { provide: Store, useValue: store },
      { provide: Gateway, useValue: gateway },
      { provide: LOGGER, useValue: telemetry.logger },
      { provide: Metrics, useValue: telemetry.metrics },
    ];
    return { module: DependenciesModule, providers, exports: providers };
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.store.close(), this.gateway.close()]);
  }
}

@Module({})
export class AppModule {
  static forRoot(dependencies: Dependencies): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(dependencies.config),
        DependenciesModule.forRoot(dependencies),
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
