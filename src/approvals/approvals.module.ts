import { Global, Module } from '@nestjs/common';
import { SessionsModule } from '../sessions/sessions.module.js';
import { Approvals, ApprovalsWorker } from './approvals.js';
import { ApprovalsController } from './approvals.controller.js';
import { ApprovalsRepository } from './approvals.repository.js';

/** Lets every module ask for approvals, and say how what it asks for is done. */
@Global()
@Module({
  imports: [SessionsModule],
  controllers: [ApprovalsController],
  providers: [Approvals, ApprovalsRepository, ApprovalsWorker],
  exports: [Approvals, ApprovalsRepository],
})
export class ApprovalsModule {}
