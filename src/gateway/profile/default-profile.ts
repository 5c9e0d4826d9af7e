import type { Profile } from './format.js';

/**
 * The built-in profile. The card and wallet requests, the wallet's answer and the form of an unsuccessful answer are
 * documented by the gateway (seed 2.1 to 2.4). Everything else is an assumption until the merchant confirms it.
 */
export const defaultProfile: Profile = {
  operations: {
    payCard: { method: 'POST', path: '/payment/card', credentials: true },
    initiateWallet: {
      method: 'POST',
      path: '/init-partner',
      credentials: false,
      outcome: {
        status: ['/data/data/status'],
        transactionRef: ['/data/data/orderNo'],
        redirectUrl: ['/data/data/cashierUrl'],
        reference: ['/data/data/reference'],
        amount: ['/data/data/amount/total'],
        currency: ['/data/data/amount/currency'],
        amountUnit: 'minor',
        require: [
          { pointer: '/status', in: ['success'] },
          { pointer: '/data/code', matches: '^0+$' },
        ],
      },
    },
    validateOtp: { method: 'POST', path: '/payment/validate-otp', credentials: true },
    initiateTransfer: { method: 'POST', path: '/payment/transfer', credentials: true },
    transferUssdStatus: { method: 'POST', path: '/payment/status', credentials: true },
    listUssdBanks: { method: 'GET', path: '/ussd/banks', credentials: true },
    generateUssdCode: { method: 'POST', path: '/ussd/code', credentials: true },
    transactionStatus: { method: 'GET', path: '/transaction/{client_ref}', credentials: true },
    complete: { method: 'POST', path: '/payment/completion', credentials: true },
    void: { method: 'POST', path: '/payment/void', credentials: true },
  },
  card: { expiryYear: 'YYYY', omit: [], colorDepths: [1, 4, 8, 15, 16, 24, 32, 48] },
  ussdBanks: { list: '/data', code: '/code', name: '/name' },
  encryption: { scheme: 'none', operations: ['payCard'], scope: 'body' },
  outcome: {
    error: ['/error'],
    message: ['/message'],
    code: ['/data/errorCode'],
    status: ['/data/transaction/status', '/data/status', '/data/errorCode'],
    transactionRef: ['/data/transactionRef'],
    redirectUrl: ['/data/transaction/redirectUrl'],
    redirectMethod: [],
    redirectFields: [],
    accountNumber: ['/data/transaction/accountNumber'],
    accountName: ['/data/transaction/accountName'],
    bankName: ['/data/transaction/bankName'],
    expiresAt: ['/data/transaction/expiresAt'],
    ussdCode: ['/data/transaction/ussdCode'],
    otpMessage: ['/message'],
    reference: [],
    amount: ['/data/transaction/amount'],
    currency: ['/data/transaction/currency'],
    amountUnit: 'major',
    amountOptional: true,
    meanings: {
      succeeded: ['SUCCESS', 'SUCCESSFUL', 'APPROVED', 'COMPLETED', '00'],
      authorized: ['AUTHORIZED'],
      failed: ['FAIL', 'FAILED', 'DECLINED'],
      expired: ['CLOSE', 'EXPIRED'],
      voided: ['VOIDED', 'REVERSED'],
      processing: ['INITIAL', 'PENDING', 'PROCESSING'],
      otp: ['OTP_REQUIRED', 'T0'],
      redirect: ['REDIRECT_REQUIRED', 'S0'],
      unknownTransaction: ['NOT_FOUND'],
      undecided: ['09', '91', '96'],
    },
    require: [],
  },
  notification: {
    reference: ['/client_ref', '/reference', '/data/client_ref', '/data/reference', '/payload/reference'],
    signature: { scheme: 'none', header: 'x-signature', encoding: 'hex', prefix: '' },
  },
  confirmed: [],
};
