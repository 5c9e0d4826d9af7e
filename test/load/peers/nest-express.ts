import 'reflect-metadata';
import { HttpModule, HttpService } from '@nestjs/axios';
import { Body, Controller, HttpCode, Module, Post, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { firstValueFrom } from 'rxjs';
import { CardPaymentDto } from './card-payment-dto.ts';

/** The same in the way that Nest's documentation shows: Express, class-validator, HttpModule. It stores nothing. */
@Controller()
class PayController {
  constructor(private readonly http: HttpService) {}

  @Post('pay')
  @HttpCode(200)
  async pay(@Body() dto: CardPaymentDto): Promise<unknown> {
    const { data } = await firstValueFrom(
      this.http.post<unknown>(`${process.env['GATEWAY_BASE_URL'] ?? ''}/payment/card`, dto, {
        headers: {
          'x-api-key': process.env['GATEWAY_API_KEY'],
          'access-token': process.env['GATEWAY_ACCESS_TOKEN'],
        },
      }),
    );
    return data;
  }
}

@Module({ imports: [HttpModule], controllers: [PayController] })
class PeerModule {}

const app = await NestFactory.create<NestExpressApplication>(PeerModule, { logger: false });
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }));
await app.listen(Number(process.env['PORT']), '127.0.0.1');
