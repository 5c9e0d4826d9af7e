import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments/payments.module.js';
import { OpenSessions } from './open-sessions.js';

@Module({ imports: [PaymentsModule], providers: [OpenSessions], exports: [OpenSessions] })
export class SessionsModule {}
