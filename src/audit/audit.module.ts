import { Global, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { AuditRepository } from './audit.repository.js';
import { AuditTrail } from './audit-trail.js';

/** Lets every module write into the audit. */
@Global()
@Module({ providers: [AuditRepository, AuditTrail], exports: [AuditRepository, AuditTrail] })
export class AuditModule implements OnApplicationBootstrap {
  constructor(private readonly trail: AuditTrail) {}

  onApplicationBootstrap(): void {
    this.trail.start();
  }
}
