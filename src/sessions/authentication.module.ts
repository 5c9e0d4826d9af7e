import { Global, Module } from '@nestjs/common';
import { Authenticator } from './authenticator.js';
import { FailedKeys } from './failed-keys.js';

/** Provides the guards of every module with one authenticator, which also counts wrong keys. */
@Global()
@Module({
  providers: [FailedKeys, Authenticator],
  exports: [Authenticator],
})
export class AuthenticationModule {}
