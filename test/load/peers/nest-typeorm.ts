import 'reflect-metadata';
import { HttpModule, HttpService } from '@nestjs/axios';
import { Body, Controller, Get, HttpCode, Module, Post, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { firstValueFrom } from 'rxjs';
import { Column, CreateDateColumn, Entity, PrimaryColumn, Repository, UpdateDateColumn } from 'typeorm';
import { CardPaymentDto } from './card-payment-dto.ts';

/**
 * Nest's documentation with a database: Express, class-validator, HttpModule, TypeORM on PostgreSQL. The same two statements as in
 * express-axios-pg.ts: one row, inserted before the gateway is asked and updated after. It logs nothing.
 */
@Entity('payments')
class PaymentEntity {
  @PrimaryColumn('text') reference: string;
  @Column('numeric', { precision: 14, scale: 2 }) amount: string;
  @Column('text') currency: string;
  @Column('text') status: string;
  @Column('text', { name: 'transaction_ref', nullable: true }) transactionRef: string | null;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' }) updatedAt: Date;
}

interface GatewayAnswer {
  data?: { status?: string; transactionRef?: string };
}

@Controller()
class PayController {
  constructor(
    private readonly http: HttpService,
    @InjectRepository(PaymentEntity) private readonly payments: Repository<PaymentEntity>,
  ) {}

  @Get('ready')
  ready(): object {
    return {};
  }

  @Post('pay')
  @HttpCode(200)
  async pay(@Body() dto: CardPaymentDto): Promise<unknown> {
    const { client_ref: reference, amount, currency } = dto;
    await this.payments.insert({ reference, amount, currency, status: 'SENT' });
    const { data } = await firstValueFrom(
      this.http.post<GatewayAnswer>(`${process.env['GATEWAY_BASE_URL'] ?? ''}/payment/card`, dto, {
        headers: {
          'x-api-key': process.env['GATEWAY_API_KEY'],
          'access-token': process.env['GATEWAY_ACCESS_TOKEN'],
        },
      }),
    );
    const status = data.data?.status ?? 'UNKNOWN';
    await this.payments.update({ reference }, { status, transactionRef: data.data?.transactionRef ?? null });
    return data;
  }
}

@Module({
  imports: [
    HttpModule,
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env['DATABASE_URL'] ?? '',
      poolSize: 20,
      entities: [PaymentEntity],
      synchronize: true,
    }),
    TypeOrmModule.forFeature([PaymentEntity]),
  ],
  controllers: [PayController],
})
class PeerModule {}

const app = await NestFactory.create<NestExpressApplication>(PeerModule, { logger: false });
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }));
await app.listen(Number(process.env['PORT']), '127.0.0.1');
