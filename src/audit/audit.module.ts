import { Global, Module } from '@nestjs/common';
import { Audit } from './audit.js';
import { AuditController } from './audit.controller.js';

/** Lets every module audit its calls. */
@Global()
@Module({
  controllers: [AuditController],
  providers: [Audit],
  exports: [Audit],
})
export class AuditModule {}
