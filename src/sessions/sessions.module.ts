import { Module } from '@nestjs/common';
import { SessionReferences } from './session-references.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';
import { TypedTexts } from './typed-texts.js';

@Module({
  providers: [SessionsRepository, SessionsService, SessionReferences, TypedTexts],
  exports: [SessionsRepository, SessionsService, SessionReferences],
})
export class SessionsModule {}
