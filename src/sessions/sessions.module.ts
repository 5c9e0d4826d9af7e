import { Module } from '@nestjs/common';
import { KeyedWriter } from '../idempotency/keyed-writer.js';
import { SessionReferences } from './session-references.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';
import { TypedTexts } from './typed-texts.js';

@Module({
  providers: [KeyedWriter, SessionsRepository, SessionsService, SessionReferences, TypedTexts],
  exports: [KeyedWriter, SessionsRepository, SessionsService, SessionReferences],
})
export class SessionsModule {}
