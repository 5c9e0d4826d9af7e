import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccessGuard } from './access.guard.js';

/** Guards every route of every module. */
@Global()
@Module({
  providers: [AccessGuard, { provide: APP_GUARD, useExisting: AccessGuard }],
  exports: [AccessGuard],
})
export class AuthModule {}
