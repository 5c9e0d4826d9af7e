class UssdBankDto {
  /** @example "058" */
  code: string;
  /** @example "Guaranty Trust Bank" */
  name: string;
}

/** Banks whose customers can pay by USSD. */
export class UssdBanksDto {
  banks: UssdBankDto[];
}
