import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { OpenAt } from '../../http/server/doors.js';
import { namedExamples } from '../../openapi/named-examples.js';
import { CardEncryption } from './card-encryption.js';
import { CardEncryptionKeyDto } from './card-encryption-key.dto.js';

const EXAMPLE: CardEncryptionKeyDto = {
  kty: 'RSA',
  n: 'sXchDaQebHnPiGvyDOAT4saGEUetSyo9MKLOoWFsueri23bOdgWp4Dy1WlUzewbgBHod5pcM9H95GQRV3JDXboIRROSBigeC5yjU1hGzHHyXss8UDprecbAYxknTcQkhslANGRUZmdTOQ5qTRsLAt6BTYuyvVRdhS8exSZEy_c4gs_7svlJJQ4H9_NxsiIoLwAEk7-Q3UXERGYw_75IDrGA84-lA_-Ct4eTlXHBIY2EaV7t7LjJaynVJCpkv4LKjTTAumiGUIuQhrNhZLuF_RJLqHpM2kgWFLU7-VTdL1VbC2tejvcI2BlMkEpk1BzBZI0KQB0GaDWFLN-aEAw3vRw',
  e: 'AQAB',
  kid: 'sKJc6r0Yb6DzvtbCz1L4f5pYw0m4iVw1x2k3j4h5g6Q',
  use: 'enc',
  alg: 'RSA-OAEP-256',
};

@ApiTags('browser')
@OpenAt('payers')
@Controller('v1/card-encryption-key')
export class CardEncryptionKeyController {
  constructor(private readonly encryption: CardEncryption) {}

  /** The public key with which a browser encrypts a card, so that nothing on the way sees it. */
  @Get()
  @ApiOkResponse({ type: CardEncryptionKeyDto, examples: namedExamples({ key: EXAMPLE }) })
  async key(): Promise<CardEncryptionKeyDto> {
    const { kty, n, e, kid, use, alg } = await this.encryption.publicKey();
    return { kty: kty ?? '', n: n ?? '', e: e ?? '', kid: kid ?? '', use: use ?? '', alg: alg ?? '' };
  }
}
