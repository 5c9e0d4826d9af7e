import 'reflect-metadata';
import { HttpModule, HttpService } from '@nestjs/axios';
import { Body, Controller, HttpCode, Module, Post, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Type } from 'class-transformer';
import { IsObject, IsOptional, IsString, Length, Matches, ValidateNested } from 'class-validator';
import type { AddressInfo } from 'node:net';
import { firstValueFrom } from 'rxjs';
import { Column, Entity, PrimaryGeneratedColumn, Repository } from 'typeorm';
import { GATEWAY, gatewayRequest, HEADERS, outcomeOf } from './card-payment.ts';

/** The same with the framework's own means: Nest on Express, its ValidationPipe, its HttpModule, and TypeORM. */

@Entity('payments')
class Payment {
  @PrimaryGeneratedColumn('uuid') id!: string;
  @Column('text', { unique: true }) reference!: string;
  @Column('text') amount!: string;
  @Column('text') currency!: string;
  @Column('text') status!: string;
  @Column('text', { nullable: true }) transactionRef!: string | null;
}

class Card {
  @Matches(/^\d{12,19}$/) number!: string;
  @Matches(/^\d{2}$/) expiryMonth!: string;
  @Matches(/^\d{4}$/) expiryYear!: string;
  @Matches(/^\d{3,4}$/) cvv!: string;
  @IsOptional() @Matches(/^\d{4,6}$/) pin?: string;
  @IsString() @Length(1, 80) nameOnCard!: string;
}

class Pay {
  @IsString() @Length(1, 40) reference!: string;
  @Matches(/^\d+\.\d\d$/) amount!: string;
  @Matches(/^[A-Z]{3}$/) currency!: string;
  @ValidateNested() @Type(() => Card) card!: Card;
  @IsObject() payer!: Record<string, string>;
  @IsObject() billing!: Record<string, string>;
  @IsObject() device!: Record<string, unknown>;
}

@Controller()
class PayController {
  constructor(
    private readonly http: HttpService,
    @InjectRepository(Payment) private readonly payments: Repository<Payment>,
  ) {}

  @Post('pay')
  @HttpCode(201)
  async pay(@Body() body: Pay): Promise<object> {
    const { reference, amount, currency } = body;
    const payment = await this.payments.save({ reference, amount, currency, status: 'processing' });
    const request = gatewayRequest(body as never);
    const answer = await firstValueFrom(
      this.http.post<unknown>(`${GATEWAY}/payment/card`, request, { headers: HEADERS, timeout: 30_000 }),
    );
    return this.payments.save({ ...payment, ...outcomeOf(answer.data) });
  }
}

@Module({
  imports: [
    HttpModule,
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env['DATABASE_URL'] ?? '',
      entities: [Payment],
      synchronize: true,
    }),
    TypeOrmModule.forFeature([Payment]),
  ],
  controllers: [PayController],
})
class PeerModule {}

const app = await NestFactory.create(PeerModule, { logger: false });
app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true }));
await app.listen(0, '127.0.0.1');
process.send?.({ port: (app.getHttpServer() as { address(): AddressInfo }).address().port });
