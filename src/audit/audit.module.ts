import { Global, Module } from '@nestjs/common';
import { Audit } from './audit.js';
import { AuditController } from './audit.controller.js';
import { AuditedCalls } from './audited.js';

/** Lets every module audit its calls. */
@Global()
@Module({ controllers: [AuditController], providers: [Audit, AuditedCalls], exports: [Audit, AuditedCalls] })
export class AuditModule {}
