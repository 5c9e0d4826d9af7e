import { Global, Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { CallAudit } from './audited.js';
import { Authenticator } from './authenticator.js';
import { FailedKeyTally, FailedKeys } from './failed-keys.js';

/** Provides the guards of every module with one authenticator, which also counts wrong keys, and with the audit of their calls. */
@Global()
@Module({
  imports: [AuditModule],
  providers: [FailedKeyTally, FailedKeys, Authenticator, CallAudit],
  exports: [Authenticator, CallAudit],
})
export class AuthenticationModule {}
