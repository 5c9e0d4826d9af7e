import { Global, Module } from '@nestjs/common';
import { AuditRepository } from './audit.repository.js';
import { AuditTrail } from './audit-trail.js';

/** Lets every module write into the audit. */
@Global()
@Module({ providers: [AuditRepository, AuditTrail], exports: [AuditRepository, AuditTrail] })
export class AuditModule {}
