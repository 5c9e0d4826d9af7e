import { Module } from '@nestjs/common';
import { SessionReferences } from './session-references.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';

@Module({
  providers: [SessionsRepository, SessionsService, SessionReferences],
  exports: [SessionsRepository, SessionsService, SessionReferences],
})
export class SessionsModule {}
