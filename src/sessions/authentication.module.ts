import { Global, Module } from '@nestjs/common';
import { Authenticator } from './authenticator.js';
import { FailedKeys } from './failed-keys.js';

/** Gives the guards of every module the one place that knows who calls, and counts wrong keys. */
@Global()
@Module({ providers: [FailedKeys, Authenticator], exports: [Authenticator] })
export class AuthenticationModule {}
