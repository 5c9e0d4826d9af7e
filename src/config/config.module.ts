import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ConfigModule as NestConfigModule, registerAs } from '@nestjs/config';
import { CONFIG, type Config } from './config.js';

/**
 * Provides the checked configuration to every module. It is loaded before the application is created, so that a mistake
 * stops the start early.
 */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: Config): DynamicModule {
    const tillfront = registerAs('tillfront', () => config);
    // The environment was already read and checked. Nothing may be read without those checks.
    const options = { ignoreEnvFile: true, ignoreEnvVars: true, skipProcessEnv: true };
    return {
      module: ConfigModule,
      imports: [NestConfigModule.forRoot({ load: [tillfront], ...options })],
      providers: [{ provide: CONFIG, useExisting: tillfront.KEY }],
      exports: [CONFIG],
    };
  }
}
