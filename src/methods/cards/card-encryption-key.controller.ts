import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { OpenAt } from '../../http/server/doors.js';
import { CardEncryption } from './card-encryption.js';
import { CardEncryptionKeyDto } from './card-encryption-key.dto.js';

@ApiTags('browser')
@OpenAt('payers')
@Controller('v1/card-encryption-key')
export class CardEncryptionKeyController {
  constructor(private readonly encryption: CardEncryption) {}

  /** The public key with which a browser encrypts a card, so that nothing on the way sees it. */
  @Get()
  @ApiOkResponse({ type: CardEncryptionKeyDto })
  async key(): Promise<CardEncryptionKeyDto> {
    const { kty, n, e, kid, use, alg } = await this.encryption.publicKey();
    return { kty: kty ?? '', n: n ?? '', e: e ?? '', kid: kid ?? '', use: use ?? '', alg: alg ?? '' };
  }
}
