import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ConfigModule as NestConfigModule, type ConfigType, registerAs } from '@nestjs/config';
import type { Config } from './config.js';

/** Injection token of the checked {@link Config}: `@Inject(CONFIG) config: Config`. */
export const CONFIG = Symbol('CONFIG');

/**
 * Provides the checked configuration to every module. It is loaded before the application is created, so that a mistake
 * stops the start early.
 */
@Global()
@Module({})
export class ConfigModule {
  static async forRoot(config: Config): Promise<DynamicModule> {
    const tillfront = registerAs('tillfront', () => config);
    return {
      module: ConfigModule,
      imports: [
        // The environment was already read and checked. Nothing may be read without those checks.
        await NestConfigModule.forRoot({
          load: [tillfront],
          ignoreEnvFile: true,
          ignoreEnvVars: true,
          skipProcessEnv: true,
        }),
      ],
      providers: [
        {
          provide: CONFIG,
          inject: [tillfront.KEY],
          useFactory: (loaded: ConfigType<typeof tillfront>) => loaded,
        },
      ],
      exports: [CONFIG],
    };
  }
}
