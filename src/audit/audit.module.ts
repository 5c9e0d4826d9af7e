import { Global, Module } from '@nestjs/common';
import { Audit } from './audit.js';
import { AuditController } from './audit.controller.js';
import { AuditInterceptor } from './audited.js';

/** Lets every module audit its calls. */
@Global()
@Module({
  controllers: [AuditController],
  providers: [Audit, AuditInterceptor],
  exports: [Audit, AuditInterceptor],
})
export class AuditModule {}
