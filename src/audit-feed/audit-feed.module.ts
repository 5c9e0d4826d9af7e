import { Module } from '@nestjs/common';
import { AuditController, SignInsController } from './audit.controller.js';

/** The audit as it is read, and the one call that is made for it: a sign-in. */
@Module({ controllers: [AuditController, SignInsController] })
export class AuditFeedModule {}
